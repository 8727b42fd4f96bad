//! The explanations of V37 to V87 and F114 to F116, which came with versions 0.6 to 0.13.

use super::example::explanations;

explanations! {
    V37 "Primitives and meshes name materials by id, so each material has an id of its own."
        "Rename one of the two keys."
        without "materials are the keys of a mapping, and a key that stands there twice is found before: V56, below 0.10 U10";
    V38 "A primitive names a material that the document's `materials` do not have. From version 0.12 on the code is V75."
        "Correct the name, or add the material."
        in "V38_unknown_material" [] "material: bricks" => "material: brick";
    V39 "A base color has four components: red, green, blue and alpha."
        "Add an alpha of 1 for an opaque material."
        in "V39_color_of_three" [] "[0.6, 0.2, 0.1]" => "[0.6, 0.2, 0.1, 1]";
    V40 "The components of a base color are numbers from 0 to 1."
        "Divide components of 0 to 255 by 255."
        in "V40_color_of_bytes" [] "153" => "0.6";
    V41 "Before version 0.12 a mesh is written as one glTF primitive, which has one material, so its primitives must all name the same one or none."
        "Declare version 0.12, or divide the mesh."
        in "V41_two_materials_in_a_mesh" [] "version: \"0.6\"" => "version: \"0.12\"";
    V42 "A material with a point in its name belongs to an import: `import.material`. The import exists, and has no material with this id."
        "Correct the part after the point, or add the material to the imported document."
        in "V42_material_missing_in_part" ["part.yaml"] "tiles.slate" => "tiles.clay";
    V43 "UV roles are `albedo`, `detail`, `directional`, `radial`, `decal` and `lightmap`."
        "Use one of the six."
        in "V43_unknown_role" [] "color: {set" => "albedo: {set";
    V44 "A mesh gives each UV role one set."
        "Remove one of the two keys."
        without "roles are the keys of a mapping, and a key that stands there twice is found before: V56, below 0.10 U10";
    V45 "UV sets are named `uv` and a number: `uv0`, `uv1` and so on."
        "Correct the name of the set."
        in "V45_set_without_number" [] "set: paint" => "set: uv0";
    V46 "A material may say which UV roles it needs, and the mesh that uses it does not give one of them a set."
        "Add the role to `uv_roles` of the mesh."
        in "V46_role_not_exposed" [] "detail: {set" => "albedo: {set";
    V47 "The `uses_uv_roles` of a material are UV roles: `albedo`, `detail`, `directional`, `radial`, `decal` and `lightmap`."
        "Use one of the six."
        in "V47_material_of_unknown_role" [] "[colour]" => "[albedo]";
    V50 "A UV set says by which rule vertices get their coordinates, and the name of the rule is empty."
        "Name a generator, such as `planar_xy@1`."
        in "V50_empty_generator" [] "generator: \"\"" => "generator: planar_xy@1";
    V51 "UV generators are `planar_xy@1`, `box_project@1`, `sphere_latlong@1`, `cylindrical@1` and `capsule_cyl_latlong@1`."
        "Use one of the five; the version after `@` belongs to the name."
        in "V51_unknown_generator" [] "planar_xz@1" => "planar_xy@1";
    V52 "A UV generator is for certain shapes, and every primitive of the mesh must be of one of them. Implicit surfaces have none."
        "Use `planar_xy@1`, which is for all shapes but implicit surfaces, or divide the mesh."
        in "V52_generator_of_another_shape" [] "sphere_latlong@1" => "box_project@1";
    V53 "UV roles name sets of the mesh, so a mesh with `uv_roles` has `uv_sets`."
        "Add `uv_sets`."
        in "V53_roles_without_sets" [] "    uv_roles" => "    uv_sets: {uv0: {generator: planar_xy@1}}\n    uv_roles";
    V54 "A UV role names a set that the mesh does not have."
        "Correct the name of the set, or add the set to `uv_sets`."
        in "V54_role_of_unknown_set" [] "set: uv1" => "set: uv0";
    V55 "The UV sets of a mesh are numbered 0, 1, 2 and so on, because they become TEXCOORD_0, TEXCOORD_1, TEXCOORD_2. Their order in the document does not matter."
        "Number the sets without gaps from 0."
        in "V55_sets_with_a_gap" [] "uv2: {" => "uv1: {";
    V56 "A mapping has a key twice, so one of the two values would be lost. Below version 0.10 the code is U10."
        "Remove or rename one of the keys."
        in "V56_duplicate_key" [] "    id: twofold\n    primitives" => "    primitives";
    V57 "The document has a key that the schema does not know at this place. What is not understood is refused, not passed over. Below version 0.10 the code is V33."
        "Correct the spelling; the message lists the fields."
        in "V57_unknown_field" [] ", color: red" => "";
    V58 "A param has a name of ASCII letters, digits and underscores, no digit first, and its value is a boolean, a finite number or a text without `${name}`."
        "Use one param for each number."
        in "V58_param_is_a_list" [] "size: [4, 2, 0.3]" => "size: 4";
    V59 "A text that is `$name` stands for the value of a param, and there is no param with this name."
        "Correct the name, or add it to `params`."
        in "V59_unknown_param" [] "$widht" => "$width";
    V60 "A param stands for a whole value. A text that contains `$name` and more is refused, because it looks like a param and would stay as it is."
        "Make the whole text a param. A number of a repeat, `${i}`, may stand inside a text."
        in "V60_param_inside_text" [] "wall_$side" => "$side";
    V61 "A param keeps the type of its value: a number where a number belongs, a text where a text belongs."
        "Give the param a value of the field's type."
        in "V61_text_as_width" [] "width: broad" => "width: 4";
    V62 "The `count` of a repeat is a whole number of 0 or more, written as a number: not 2.0, not \"2\", and not a param. The token of an outer repeat is allowed."
        "Write the number."
        in "V62_negative_count" [] "count: -1" => "count: 3";
    V63 "The name after `as` has ASCII letters, digits and underscores, no digit first, because `${name}` stands for the number of the copy."
        "Use such a name."
        in "V63_name_with_hyphen" [] "as: post-number" => "as: i";
    V64 "A repeat is an element of a list, a mapping with the only key `repeat`, whose value has exactly the keys `count`, `as` and `body`, and `body` is a mapping. A repeat stands nowhere else: not beside other keys, not in a mapping such as `materials`, and not as the body of another."
        "Add what is missing, or remove what is too much. Other keys belong into the body, and a repeat inside another into a list of its body."
        in "V64_repeat_without_name" [] "          count: 3\n" => "          count: 3\n          as: i\n";
    V65 "A text contains `${name}`, and no repeat around it has this name after `as`."
        "Correct the name, or put the text into the body of the repeat."
        in "V65_token_outside_repeat" [] "\"fence_${i}\"" => "fence";
    V66 "Two elements have one id: meshes, primitives of a mesh, armatures, bones, anchors, instances, poses, or two of different kinds that share a pool of ids. Below version 0.10 the codes are V01 to V04, V24, V25, V28 and U03."
        "Give one another id; in a repeat, put `${name}` into the id."
        in "V66_copies_with_one_id" [] "id: post," => "id: \"post_${i}\",";
    V67 "The axis of `rotation_axis_angle` is a direction, and its length is 1e-12 or less."
        "Write an axis such as `[0, 1, 0]`."
        in "V67_axis_of_zeros" [] "axis: [0, 0, 0]" => "axis: [0, 1, 0]";
    V68 "A text that begins with `=` is an expression of numbers, `$params`, `+ - * /`, brackets and the functions min, max, clamp, abs, sqrt, sin, cos, tan, atan2, deg2rad and rad2deg, and this one is not. In a list in brackets, an expression with a comma needs quotes."
        "Correct the expression; the message says where it goes wrong."
        in "V68_power_operator" [] "$width**2" => "$width*$width";
    V69 "An expression names a param that does not exist, or whose value is a text."
        "Correct the name, or add the param."
        in "V69_expression_of_unknown_param" [] "$widht" => "$width";
    V70 "Every number in an expression, also between its parts, must be finite: no division by zero, nothing beyond 1.8e308, and a result below 1.8e299."
        "Change the numbers, or guard the divisor with `max`."
        in "V70_division_by_zero" [] "{parts: 0}" => "{parts: 2}";
    V71 "The argument of `sqrt` must not be negative."
        "Change the argument, or guard it with `max($x, 0)`."
        in "V71_root_of_negative_number" [] "sqrt($width-4)" => "sqrt(4-$width)";
    V72 "A transform has at most one of `rotation_euler`, `rotation_degrees`, `rotation_axis_angle` and `rotation_quat`. A key without a value counts."
        "Keep one of them."
        in "V72_two_rotations" [] "          rotation_quat: [0, 0, 0, 1]\n" => "";
    V73 "`rotation_axis_angle` is a mapping with `axis`, a list of three numbers, and `degrees`, a number; `rotation_quat` is a list of four, x y z w. All must be finite."
        "Write the rotation in one of these forms."
        in "V73_quaternion_of_three" [] "[0, 0.6, 0.8]" => "[0, 0.6, 0, 0.8]";
    V74 "From version 0.12 on, a document with a table of materials says for each primitive, or for its mesh, which one it has."
        "Give the primitive or the mesh a `material`."
        in "V74_no_material" [] "dimensions: {x: 4, y: 2, z: 0.3}}" => "dimensions: {x: 4, y: 2, z: 0.3}, material: brick}";
    V75 "A mesh or a primitive names a material that the document's `materials` do not have. Below version 0.12 the code is V38."
        "Correct the name, or add the material; a material of an import is `import.material`."
        in "V75_unknown_material" [] "material: bricks" => "material: brick";
    V76 "A macro makes primitives of the mesh in which it stands. From version 0.12 on its `mesh` must be the id of that mesh."
        "Remove `mesh`, or move the macro to the other mesh."
        in "V76_macro_of_another_mesh" [] "        mesh: barn\n" => "";
    V77 "Expressions, the `material` of a mesh, `rotation_axis_angle`, `rotation_quat`, `offset_mode` and the macro `triangle_prism_on_plane` came with version 0.12, and the document declares an earlier one."
        "Declare version 0.12."
        in "V77_expression_in_earlier_version" [] "version: \"0.11\"" => "version: \"0.12\"";
    V78 "A quaternion is a rotation by its direction in four dimensions, and the length of this one is 1e-12 or less."
        "Write `[0, 0, 0, 1]` for no rotation, or leave it out."
        in "V78_quaternion_of_zeros" [] "[0, 0, 0, 0]" => "[0, 0, 0, 1]";
    V79 "The shape `implicit_surface` came with version 0.13, and the document declares an earlier one."
        "Declare version 0.13."
        in "V79_surface_in_earlier_version" [] "version: \"0.12\"" => "version: \"0.13\"";
    V80 "The domain of an implicit surface is a box: on each axis its maximum is greater than its minimum, and both are finite."
        "Make the box larger."
        in "V80_domain_without_height" [] "max: [1, -1, 1]" => "max: [1, 1, 1]";
    V81 "The grid of an implicit surface has at least two samples on each axis, because the surface is found between samples."
        "Use more samples."
        in "V81_grid_of_one_sample" [] "nz: 1}" => "nz: 8}";
    V82 "An implicit surface is where the sum of its operators reaches `iso`, so it has at least one."
        "Add an operator, or leave the primitive out."
        in "V82_no_operators" [] "ops: []" => "ops: [{op: add, field: metaball_sphere@1, strength: 1, radius: 0.8}]";
    V83 "The fields of operators are `metaball_sphere@1`, `metaball_capsule@1`, `sdf_sphere@1` and `sdf_capsule@1`."
        "Use one of the four; the version after `@` belongs to the name."
        in "V83_unknown_operator_field" [] "field: metaball_sphere," => "field: metaball_sphere@1,";
    V84 "The radius and the strength of an operator are positive, and so is the height of a capsule, which must be there."
        "Give a positive number; to cut something out, write `op: subtract`."
        in "V84_operator_without_radius" [] "radius: 0}" => "radius: 0.8}";
    V85 "The scale of an operator is a list of three equal positive numbers, because distances would be wrong otherwise."
        "Use one number three times, or a capsule in place of a stretched sphere."
        in "V85_scale_not_uniform" [] "[1, 2, 1]" => "[1, 1, 1]";
    V86 "The grid of an implicit surface has at most 2,000,000 samples: `nx` times `ny` times `nz`."
        "Use fewer samples, or a smaller domain."
        in "V86_grid_too_fine" [] "{nx: 126, ny: 126, nz: 126}" => "{nx: 40, ny: 40, nz: 40}";
    V87 "The only algorithm of `extraction` is `marching_cubes@1`, which is also the default."
        "Write it so, or leave `extraction` out."
        in "V87_unknown_algorithm" [] "dual_contouring@1" => "marching_cubes@1";
    F114 "A macro makes primitives with ids that begin with its own: `wall_gap_0`, `wall_window_below`. One of them is the id of another primitive of the mesh."
        "Rename the macro, its cutout or the other primitive."
        in "F114_box_with_an_id_of_the_macro" [] "{type: box, id: wall_gap_0" => "{type: box, id: step";
    F115 "The corners of a box, `aabb`, say how large it is and where, so it has no `transform`."
        "Move the corners, or write `dimensions` and `transform`."
        in "F115_aabb_and_transform" [] "        transform: {translation: [1, 0, 0]}\n" => "";
    F116 "A cutout has an id of ASCII letters, digits and underscores, no digit first, from which the boxes below and above it get theirs."
        "Give the cutout an id."
        in "F116_cutout_without_id" [] "{span: [1, 2]" => "{id: window, span: [1, 2]";
}

//! The explanations of this project's codes, U01 to U21, and of the warnings.

use super::example::explanations;

explanations! {
    U01 "The parent of a bone is the id of a bone of the same armature, or the word `none`."
        "Correct `parent`; ids and the word are case-sensitive."
        in "U01_unknown_bone_parent" [] "parent: None" => "parent: none";
    U02 "A pose moves bones by id, and no armature of the document has a bone with this id."
        "Correct the key below `bones`."
        in "U02_pose_of_unknown_bone" [] "hinges" => "hinge";
    U03 "Each pose has an id of its own, from which its output gets its name."
        "Give one of the two another id."
        in "U03_duplicate_pose_id" [] "{id: open, bones: {hinge: {rotation: [0.8" => "{id: wide, bones: {hinge: {rotation: [0.8";
    U04 "The range of a gradient goes from the smaller number to the greater."
        "Swap the numbers, and `from` with `to`."
        in "U04_gradient_range_descending" [] "range: [1, -1], from: {bone_id: ladder, weight: 1}, to: []" => "range: [-1, 1], from: [], to: {bone_id: ladder, weight: 1}";
    U05 "A document imports itself, directly or through others, so it would never end."
        "Remove one of the imports of the circle, or move what both need to a third file."
        in "U05_import_of_itself" [] "imports:\n  again: {source: U05_import_of_itself.rigy.yaml}\n" => "";
    U06 "An import or a contract names a file that does not exist, or a directory. Paths are relative to the file that names them."
        "Correct the path."
        in "U06_contract_missing" ["part.yaml"] "\n    contract: U06_contract_missing.contract.ricy.yaml" => "";
    U07 "The `from` anchors of an instance belong to the import that it places, and this one is written with the name of another."
        "Write anchors of the same import."
        in "U07_anchor_of_another_import" ["part.yaml"] "back.rim" => "front.rim";
    U08 "Three anchors make a frame: an origin, a direction and a side. These lie on one line, in one point, or give a scale that is not usable."
        "Move one of the anchors off the line through the other two."
        in "U08_anchors_on_a_line" ["part.yaml"] "axle_ahead, translation: [1.4, 0, 0.5]" => "axle_ahead, translation: [0.8, 0, 0.6]";
    U09 "An instance of a mesh of this document is held by anchors of this document, and there is none with this id."
        "Correct the id in `from`."
        in "U09_unknown_anchor_of_mesh" [] "from: [seat" => "from: [middle";
    U10 "The document is no YAML of the kind that Rigy reads, or a value has another type or form than its field, or a limit is exceeded. The message says which."
        "Correct the place that the message quotes. Ids, names and versions that look like numbers or dates need quotes."
        in "U10_number_as_id" [] "id: 7" => "id: \"7\"";
    U11 "There is one tessellation profile, `v0_1_default`."
        "Leave `tessellation_profile` out."
        in "U11_unknown_profile" [] "tessellation_profile: v0_2_fine\n" => "";
    U12 "A mesh is bound to an armature without bones, so there is nothing that its vertices could follow."
        "Add a bone to the armature, or remove the binding."
        in "U12_armature_without_bones" [] "bones: []" => "bones: [{id: spine, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}]";
    U13 "Others refuse weight files in imported documents; rigy-batch reads them."
        "There is nothing to mend."
        without "it is never reported: weight files of imports are supported";
    U14 "A path leads out of the root, which is the directory that was given, or the directory of the file that was given. Nothing outside the root is read."
        "Move the file below the root, or name a higher root with `--root`."
        in "U14_import_outside_root" ["part.yaml"] "../../shelf/wheel.rigy.yaml" => "U14_import_outside_root.part.yaml";
    U15 "A GLB holds numbers in single precision, and this one is greater than 3.4e38."
        "Use smaller numbers."
        in "U15_beyond_single_precision" [] "1.0e+39" => "1000";
    U16 "A GLB holds the numbers of joints in 16 bits, so one armature has at most 65,535 bones."
        "Divide the armature."
        without "65,536 bones fill megabytes";
    U17 "The lengths in a GLB have 32 bits, so a file ends at 4 GiB. The limits on vertices and on work have this code, too."
        "Divide the document, or choose coarser grids. `--limit` sets the limits on vertices and work."
        without "the document that raises it, conformance/invalid/U17_beyond_four_gibibytes.rigy.yaml, has 400 meshes";
    U18 "A child of a scene is placed by `slot`, a frame of its parent, and `mount`, a frame of its own."
        "Add the one that is missing."
        scene "U18_child_without_mount" ["part.yaml"] "top_aside]}}" => "top_aside]}, mount: {anchors: [below, below_ahead, below_aside]}}";
    U19 "A scene names a slot or a mount by `name`, and the contract of the part, a file .ricy.yaml beside it, does not have it or does not exist."
        "Correct the name, add it to the contract, or name three anchors."
        scene "U19_slot_without_contract" ["part.yaml"] "{name: top}" => "{anchors: [top, top_ahead, top_aside]}";
    U20 "A slot or a mount of a scene is made of three anchors that lie on one line or in one point, so it is no frame."
        "Move one of the anchors off the line through the other two."
        scene "U20_mount_on_a_line" ["part.yaml"] "below_aside, translation: [0.8, -0.05, 0]" => "below_aside, translation: [0.8, -0.05, 0.4]";
    U21 "A glTF file does not have the animation that was asked for, or has none at all."
        "Name one that it has: the message lists them, and so does `rigy-batch inspect`. With `--missing-animation skip` or `rest` such files do not fail."
        without "it is about glTF files";
    W01 "Vertices of a GLB have four influences each. A vertex with more keeps the four strongest, and their weights are made to add up to 1."
        "Give each vertex at most four bones."
        in "W01_five_influences" [] "          - {bone_id: knot, weight: 0.1}\n" => "";
    W02 "A primitive has weights and a weight map. The weight map decides for the vertices that it mentions, the weights for all others."
        "Keep one of the two if that is not what you want."
        in "W02_weights_and_weight_map" [] "weights: [{primitive_id: flesh, bones: [{bone_id: stem, weight: 1}]}]" => "weights: []";
    W03 "The head of a root bone is usually at the origin. This one is not, so tools that turn the model about the origin may not do what you expect."
        "Move the model so that the root bone begins at the origin."
        in "W03_root_off_the_origin" [] "head: [0, 0.5, 0]" => "head: [0, 0, 0]";
    W04 "The rotation of a pose is nearly of length 1, as numbers of four decimals are. It was divided by its length."
        "Write more decimals."
        in "W04_rotation_of_four_decimals" [] "[0.9239, 0, 0.3827, 0]" => "[0.9238795325112867, 0, 0.3826834323650898, 0]";
    W05 "An imported part has instances of its own, which are not carried along."
        "Place what they place in the importing document, or use a scene."
        in "W05_part_with_instances" ["part.yaml"] "instances:\n  - {id: outer_cap, mesh_id: cap}\n" => "";
    W06 "The bake of a pose has the document's own meshes; instances are left out. The rest pose has both."
        "Use `--with-instances` to have them in every pose."
        in "W06_bake_without_instances" [] "instances:\n  - {id: second_lamp, mesh_id: lamp}\n" => "";
    W07 "A glTF file departs from the glTF 2.0 specification in a way that does not keep it from being baked, or has NaN or infinity in data that are copied."
        "Correct the program that wrote it; the message says what is wrong."
        without "it is about glTF files";
    W08 "A glTF file has no skin, so there is nothing to bake."
        "Export the model with its skin."
        without "it is about glTF files";
    W09 "The root joint of a glTF skin has a scale that it keeps to itself, although other joints hang on it. Often the scale is meant for all of them."
        "Bake with `--scale global`, which applies it to all."
        without "it is about glTF files";
    W10 "A time or a frame is before the first key of the animation or after its last one, so that the pose of that key is baked, once for each such frame."
        "Ask for frames within the animation; `--frames @24` takes all of it."
        without "it is about glTF files";
    W11 "A pose says where bones are in the space of the model: `translation` is the place of the bone's head. Without it, or for a bone that the pose does not name, the head goes to the origin."
        "Add the translation that the message names: the place to which the parent carries the bone, where it turns in place."
        in "W11_pose_without_translation" [] "rotation: [0.96, 0, 0, 0.28]" => "rotation: [0.96, 0, 0, 0.28], translation: [0, 3, 0]";
    W12 "The document uses something that came with a later version than it declares."
        "Declare the version that the message names."
        in "W12_poses_in_an_earlier_version" [] "version: \"0.2\"" => "version: \"0.5\"";
    W13 "A glTF file does not have the animation that was asked for; it was baked with its nodes as they are stored, or left out."
        "Use `--missing-animation` to say what is to happen with such files: `error`, `skip` or `rest`."
        without "it is about glTF files";
    W15 "Extensions of a glTF file refer to morph targets, joints or a single root node, which the baked file does not have. These entries were removed; the message names them."
        "There is nothing to mend; with `--keep-extensions` they stay, although they no longer hold."
        without "it is about glTF files";
    W16 "A scene is written in the format of another tool, which has no place for something that the scene has, such as points in STL."
        "Write another format if it is needed; GLB has all."
        without "it is about files for other tools";
    W17 "All vertices of a primitive get their influences from the last gradient of its weight map, and from the last entry of `weights` that names it. What stands before has no effect."
        "Make a primitive of each part and give each one gradient between two bones; or name influences vertex by vertex, in `overrides` or in a weight file."
        in "W17_gradients_of_a_chain" [] "          - {axis: y, range: [-0.5, 0.0], from: [{bone_id: root, weight: 1}], to: [{bone_id: middle, weight: 1}]}\n" => "";
    W18 "The angles of `rotation_euler` are radians, and a full turn has 6.28 of them. A greater one was written in degrees, most likely."
        "Write the radians that the message names, or use `rotation_degrees`, which takes degrees."
        in "W18_degrees_as_radians" [] "rotation_euler: [0, 0, 90]" => "rotation_degrees: [0, 0, 90]";
    W19 "Rotations of poses are quaternions w, x, y, z. All of this document have their last component near 1, as quaternions x, y, z, w have that turn by little."
        "Write w first. A document that means half turns about z is told of, too: allow the warning."
        in "W19_quaternion_with_w_last" [] "rotation: [0.2, 0, 0, 0.9797958971132712]" => "rotation: [0.9797958971132712, 0.2, 0, 0]";
    W20 "The weights of a list are divided by their sum, so that a vertex follows its bones as a whole. A sum far from 1 often means that a bone is missing, or that weights are percents."
        "Write weights that add up to 1."
        in "W20_weights_of_percent" [] "weight: 0.5" => "weight: 1";
    W21 "No two neighbouring samples of the grid lie on different sides of the surface, so marching cubes finds no triangles. The file has an empty primitive, which is not valid glTF."
        "Choose an `iso` between 0 and the greatest value of the field, or give the grid more samples, so that some lie inside."
        in "W21_surface_without_triangles" [] "iso: 2" => "iso: 0.5";
    W22 "Symmetry copies what has an id that begins with `prefix_from`, and nothing has. So nothing is mirrored."
        "Write the prefix that the ids have; upper and lower case differ."
        in "W22_prefix_of_no_id" [] "prefix_from: left_" => "prefix_from: L_";
    W23 "The field is above `iso` on a side of the domain, so the surface goes on beyond it. It ends at that side, and the mesh is open there."
        "Make the domain larger, or the operators smaller. A surface that is meant to be open is told of, too: allow the warning."
        in "W23_surface_beyond_its_domain" [] "max: [1, 0.2, 1]" => "max: [1, 1, 1]";
    W24 "Poses are in the space of the model, so a bone does not follow its parent. This one is where it is at rest while its parent has been turned or moved, so what the two move comes apart."
        "Write the translation that the message names: the place to which the parent carries the head of the bone. An editor writes it. If the parts are to come apart, allow the warning."
        in "W24_bone_left_behind" [] "translation: [0, 2, 0]" => "translation: [-1.0752, 1.6864, 0]";
}

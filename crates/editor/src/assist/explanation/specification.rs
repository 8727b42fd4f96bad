//! The explanations of V01 to V36, which documents of every version can have.

use super::example::explanations;

explanations! {
    V01 "Bindings and instances name meshes by id, so each mesh of a document has an id of its own."
        "Give one of the two another id."
        in "V01_duplicate_mesh_id" [] "{id: twin, primitives: [{type: box, id: two" => "{id: other, primitives: [{type: box, id: two";
    V02 "Weights name the primitives of a mesh by id, so each has an id of its own there. Primitives of different meshes may share one."
        "Give one of the two another id."
        in "V02_duplicate_primitive_id" [] "id: wheel, dimensions: {radius: 0.4, height: 0.1}, transform: {translation: [0, 0.6, 0]}" => "id: other_wheel, dimensions: {radius: 0.4, height: 0.1}, transform: {translation: [0, 0.6, 0]}";
    V03 "Bindings name armatures by id, so each armature of a document has an id of its own."
        "Give one of the two another id."
        in "V03_duplicate_armature_id" [] "{id: rig, bones: [{id: boom" => "{id: boom_rig, bones: [{id: boom";
    V04 "Weights, poses and children name bones by id, so each bone of an armature has an id of its own. Copies that `symmetry` makes count, too."
        "Give one of the two another id."
        in "V04_duplicate_bone_id" [] "{id: segment, parent: segment" => "{id: tip, parent: segment";
    V05 "Whoever follows the parents of a bone must arrive at a bone whose parent is `none`."
        "Give one bone of the cycle a parent outside it, or `none`."
        in "V05_bone_cycle" [] "parent: tock" => "parent: start";
    V06 "A bone goes from its head to its tail. The two must be more than 1e-9 apart, because the bone has no direction otherwise."
        "Move the head or the tail."
        in "V06_bone_without_length" [] "5.0e-10" => "1";
    V07 "Every dimension of a primitive must be greater than zero."
        "Give a positive size, or leave the primitive out."
        in "V07_dimension_of_zero" [] "height: 0}" => "height: 0.1}";
    V08 "A binding ties a mesh of this document to an armature, and there is no mesh with this id."
        "Correct `mesh_id`; ids are case-sensitive."
        in "V08_unknown_bound_mesh" [] "mesh_id: sails" => "mesh_id: sail";
    V09 "A binding ties a mesh to an armature of this document, and there is no armature with this id."
        "Correct `armature_id`: it names the armature, not one of its bones."
        in "V09_unknown_bound_armature" [] "armature_id: mast" => "armature_id: rigging";
    V10 "The weights of a binding are about primitives of the mesh that it binds, and that mesh has no primitive with this id."
        "Correct `primitive_id`, or move the entry to the binding of the mesh that has the primitive."
        in "V10_unknown_weight_primitive" [] "      - {primitive_id: lintel, bones: [{bone_id: hinge, weight: 1}]}\n" => "";
    V11 "The weights of a binding are about bones of its armature, and that armature has no bone with this id."
        "Correct `bone_id`; ids are case-sensitive."
        in "V11_unknown_weight_bone" [] "bone_id: Pole" => "bone_id: pole";
    V12 "A mesh follows one armature, so only one binding may name it."
        "Remove one of the bindings, or put all bones into one armature."
        in "V12_mesh_bound_twice" [] "  - {mesh_id: kite, armature_id: wind, weights: []}\n" => "";
    V13 "A weight says how much of a vertex follows a bone, from 0 (nothing) to 1 (all)."
        "Divide the weights by their sum."
        in "V13_weight_above_one" [] "weight: 1.25" => "weight: 1";
    V14 "A weight map is about a primitive of the mesh that its binding binds, and that mesh has no primitive with this id."
        "Correct `primitive_id`: it names the primitive, not the mesh."
        in "V14_weight_map_unknown_primitive" [] "primitive_id: tentacle" => "primitive_id: flesh";
    V15 "A gradient gives weights to bones of the armature of its binding, and that armature has no bone with this id."
        "Correct `bone_id`; ids are case-sensitive."
        in "V15_gradient_unknown_bone" [] "bone_id: top" => "bone_id: tip";
    V16 "An override, or an entry of a weight file, gives weights to bones of the armature of its binding, and that armature has no bone with this id."
        "Correct `bone_id`; ids are case-sensitive."
        in "V16_override_unknown_bone" [] "bone_id: corner" => "bone_id: pole";
    V17 "A weight says how much of a vertex follows a bone, from 0 (nothing) to 1 (all)."
        "Write a share of 1, not a percentage."
        in "V17_gradient_weight_above_one" [] "weight: 100" => "weight: 1";
    V18 "A weight says how much of a vertex follows a bone, from 0 (nothing) to 1 (all). Weights of weight files count, too."
        "Write a number from 0 to 1."
        in "V18_override_weight_negative" [] "weight: -0.5" => "weight: 0.5";
    V19 "Vertices of a primitive are numbered from 0, in the order in which its shape makes them, and this number is beyond the last."
        "Use numbers below the number of vertices, which the message names."
        in "V19_override_vertex_out_of_range" [] "[133, 134]" => "[132, 133]";
    V20 "A weight file is JSON with the keys `primitive_id`, `vertex_count` and `influences`, and this one is missing or is something else."
        "Correct `source`, or write the file as the contract's language.md says."
        in "V20_weight_file_wrong_keys" ["weights.json"] "\"vertex_index\": 0" => "\"vertex\": 0";
    V21 "A weight file says how many vertices its primitive has, so that files for another tessellation are noticed."
        "Make the file again for the primitive as it is."
        in "V21_weight_file_vertex_count" ["weights.json"] "\"vertex_count\": 8" => "\"vertex_count\": 24";
    V22 "A weight file says which primitive it is for, and the weight map names another."
        "Correct `source` in the document or `primitive_id` in one of the two."
        in "V22_weight_file_of_another_primitive" ["weights.json"] "\"lid\"" => "\"cover\"";
    V23 "A weight map has gradients, overrides or a source. Empty lists and texts count as absent."
        "Add one of the three, or remove the weight map."
        in "V23_weight_map_with_nothing" [] "gradients: [], overrides: null, source: \"\"" => "overrides: [{vertices: [0], bones: [{bone_id: foot, weight: 1}]}]";
    V24 "Instances and contracts name anchors by id, so each anchor of a document has an id of its own."
        "Give one of the two another id."
        in "V24_duplicate_anchor_id" [] "{id: hook, translation: [0, 2, 0]}" => "{id: upper_hook, translation: [0, 2, 0]}";
    V25 "Each instance of a document, or child of a scene, has an id of its own, which becomes the name of its node."
        "Give one of the two another id."
        in "V25_duplicate_instance_id" [] "chair_1, mesh_id: chair}\n  - {id: chair_1" => "chair_1, mesh_id: chair}\n  - {id: chair_2";
    V26 "An instance places one of the document's imports, and there is no import with this name."
        "Correct `import`, or add it to `imports`."
        in "V26_unknown_import" ["part.yaml"] "import: weel" => "import: wheel";
    V27 "An instance with `mesh_id` places a mesh of this document once more, and there is no mesh with this id."
        "Correct `mesh_id`; to place an imported part, write `import` instead."
        in "V27_unknown_instance_mesh" [] "mesh_id: stool" => "mesh_id: chair";
    V28 "Meshes, armatures, anchors, instances and materials share one pool of ids, and an id of it means one thing."
        "Give one of the two another id."
        in "V28_anchor_named_like_mesh" [] "{id: handle, translation" => "{id: grip, translation";
    V29 "The three `from` anchors of an instance are anchors of the part that it places, and the part has no anchor with this id."
        "Correct the id. If the anchor is one of this document, `from` and `to` are swapped."
        in "V29_anchor_missing_in_part" ["part.yaml"] "wheel.spoke" => "wheel.rim";
    V30 "The three `to` anchors of an instance are anchors of the document that places it, and it has no anchor with this id."
        "Correct the id. If the anchor is one of the part, `from` and `to` are swapped."
        in "V30_unknown_local_anchor" ["part.yaml"] "axle_up" => "axle_out";
    V31 "A contract lists anchors and frames that a part must have. The part lacks one, or the contract is malformed."
        "Add to the part what the contract requires, or correct the contract."
        in "V31_contract_wants_a_frame" ["part.yaml" "contract.ricy.yaml"] "required_frame3_sets: [mount]" => "required_frame3_sets: [spin]";
    V32 "Numbers must be finite; `.nan` and `.inf` are not. In glTF files, matrices and sampled values must be finite, too."
        "Write a finite number."
        in "V32_dimension_not_finite" [] ".nan" => "0.5";
    V33 "The document has a key that the schema does not know at this place. What is not understood is refused, not passed over. From version 0.10 on the code is V57."
        "Correct the spelling; the message lists the fields."
        in "V33_unknown_dimension" [] "diameter: 0.016" => "radius: 0.008";
    V34 "A field that must be there is missing."
        "Add the field that the message names."
        in "V34_bone_without_parent" [] "{id: orphan, head" => "{id: orphan, parent: none, head";
    V35 "Bones turn and move; they do not stretch. A joint of a glTF file, or a transform that a user of the library gives, has a scale or a shear."
        "For glTF files choose `--scale global` or `--scale local`, which bake the scale."
        without "no field of a document can express a bone transform that is not rigid";
    V36 "The rotation of a pose is a quaternion w, x, y, z of length 1. Rounding to four decimals is mended with warning W04; this one is further off."
        "Divide the four numbers by their length."
        in "V36_rotation_not_of_unit_length" [] "0.9997" => "1";
}

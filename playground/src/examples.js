// The documents to begin with. Those of `rigy-batch init` come first, the others are from the project's own suite.
import assembly from "../../src/cli/init/assembly.yaml";
import cup from "../../src/cli/init/cup.yaml";
import lamp from "../../src/cli/init/lamp.yaml";
import arms from "../../docs/src/pictures/arms.rigy.yaml";
import robot from "../../conformance/inputs/E01_robot.rigy.yaml";
import twist from "../../conformance/inputs/L02_two_bone_dqs_twist.rigy.yaml";
import frog from "../../conformance/inputs/T04_mirrored_surface.rigy.yaml";
import macros from "../../conformance/inputs/R07_repeated_macros.rigy.yaml";

/** Examples: a title, and files as pairs of name and text, the document first. */
export const EXAMPLES = [
  ["An empty document", [["untitled.rigy.yaml", 'version: "0.13"\n']]],
  ["A lamp with a skeleton and two poses", [["desk-lamp.rigy.yaml", lamp]]],
  ["A desk with two cups, from a part", [["desk.rigy.yaml", assembly], ["desk-cup.part.yaml", cup]]],
  ["Linear blending beside dual quaternions", [["arms.rigy.yaml", arms]]],
  ["A twist by dual quaternions", [["twist.rigy.yaml", twist]]],
  ["A robot with mirrored limbs", [["robot.rigy.yaml", robot]]],
  ["An implicit surface with a pose", [["frog.rigy.yaml", frog]]],
  ["Repeated macros", [["macros.rigy.yaml", macros]]],
];

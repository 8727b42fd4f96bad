//! The solver of each file, by globs.

use std::path::{Component, Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::language::model::Solver;

/// Globs, each with the solver for the files that it matches. The last glob that matches a file decides.
#[derive(Clone, Default)]
pub struct SolverRules(Vec<Rule>);

/// A glob and its solver.
#[derive(Clone)]
struct Rule {
    glob: String,
    matcher: Gitignore,
    solver: Solver,
}

impl SolverRules {
    /// Makes the rules of globs in the syntax of `.gitignore`, which are relative to the root of an input.
    ///
    /// # Errors
    /// If a glob is malformed.
    pub fn new(rules: impl IntoIterator<Item = (String, Solver)>) -> Result<Self, String> {
        let rule = |(glob, solver): (String, Solver)| {
            let mut builder = GitignoreBuilder::new("");
            let matcher = builder
                .add_line(None, &glob)
                .and_then(|added| added.build());
            let matcher = matcher.map_err(|error| format!("the glob `{glob}`: {error}"))?;
            Ok(Rule {
                glob,
                matcher,
                solver,
            })
        };
        let rules: Result<_, String> = rules.into_iter().map(rule).collect();
        Ok(Self(rules?))
    }

    /// Returns the solver for a file, given by its path below the root; `None` if no glob matches it.
    pub fn solver_for(&self, path: &Path) -> Option<Solver> {
        let is_name = |part: &Component<'_>| matches!(part, Component::Normal(_));
        let path: PathBuf = path.components().filter(is_name).collect();
        let matches = |rule: &&Rule| {
            let found = rule.matcher.matched_path_or_any_parents(&path, false);
            found.is_ignore()
        };
        let rule = self.0.iter().rev().find(matches)?;
        Some(rule.solver)
    }
}

/// The globs and their solvers, for the key of the cache.
impl std::fmt::Debug for SolverRules {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rules = self.0.iter().map(|rule| (&rule.glob, rule.solver));
        out.debug_list().entries(rules).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_glob_that_matches_decides() {
        let rules = [
            ("props/**", Solver::Lbs),
            ("*.glb", Solver::Dqs),
            ("/props/old/", Solver::Lbs),
        ];
        let rules = rules.map(|(glob, solver)| (glob.to_owned(), solver));
        let rules = SolverRules::new(rules).unwrap();
        for (path, solver) in [
            ("props/a.gltf", Some(Solver::Lbs)),
            ("props/a.glb", Some(Solver::Dqs)),
            ("props/old/a.glb", Some(Solver::Lbs)),
            ("sub/props/old/a.gltf", None),
            ("/a.glb", Some(Solver::Dqs)),
            ("../a.vrm", None),
        ] {
            assert_eq!(rules.solver_for(Path::new(path)), solver, "{path}");
        }
        assert!(SolverRules::new([("[z-a]".to_owned(), Solver::Lbs)]).is_err());
    }
}

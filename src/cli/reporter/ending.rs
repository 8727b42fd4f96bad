//! The end of a run for people: its report and page, the summary, and what to do next.

use std::io::IsTerminal;

use super::Reporter;
use crate::cli::arguments::arguments;
use crate::cli::formats::{End, OutcomeFormat};
use crate::cli::messages::print_stderr;
use crate::cli::page::RunEnd;
use crate::cli::printer::duration;
use crate::cli::render::printable;
use crate::cli::report::{ReportTarget, write_whole};
use crate::cli::summary::{next_step, sentence};
use crate::cli::{circumstances, color, width};
use crate::run::batch::{InputCounts, LastLine};
use rigy_base::diag::Code;

impl Reporter<'_> {
    /// Ends the report and the report page.
    pub fn end_files(&mut self, last: &LastLine) {
        if let Some(Err(error)) = self.report.take().map(|report| report.end(last)) {
            self.fail_with(&*error, format!("the report could not be written: {error}"));
        }
        let threads = self.context.pool.current_num_threads();
        let Some(page) = self.page.take() else {
            return;
        };
        let run = RunEnd {
            last,
            inputs: self.inputs,
            sentence: self.sentence(last, &self.inputs, false),
            input: self.input,
            mode: self.args.mode(),
            models: self.args.models,
            circumstances: circumstances::of_run(
                self.args,
                arguments(),
                self.start.elapsed(),
                threads,
            ),
        };
        if let Err(error) = page.end(&run) {
            self.fail_with(
                &*error,
                format!("the report page could not be written: {error}"),
            );
        }
    }

    /// Writes the rules about outputs, if that was asked for.
    pub fn write_rules(&mut self) {
        if let Some(path) = &self.args.depfile
            && let Err(error) = write_whole(path, self.args.sync, &self.rules)
        {
            let message = format!("the dependency file could not be written: {error}");
            self.fail_with(&*error, message);
        }
    }

    /// Prints the end of the format on standard output, with the summary of the run.
    pub fn print_end(&mut self, mut last: LastLine) {
        last.summary.counts = self.printed;
        let took = self.start.elapsed().as_secs_f64();
        last.summary.seconds = self.context.is_round().then_some(took);
        let is_coloured = if self.is_on_standard_error() {
            color::on_standard_error()
        } else {
            color::is_coloured(&std::io::stdout())
        };
        let is_coloured = is_coloured && self.is_for_people();
        let mut sentence = self.sentence(&last, &self.printed_inputs, is_coloured);
        if self.count == 1
            && let Some(size) = &self.size
        {
            sentence += &printable(&format!("; {size}"));
        }
        // Logs of equal runs are equal.
        if self.context.is_round() || self.is_on_terminal() {
            sentence += &format!(", in {}", duration(took));
        }
        let end = End {
            last: Some(&last),
            sentence: &sentence,
            quiet: self.args.common.quiet,
            failures: &self.failures,
            is_partial: last.interrupted,
        };
        let text = self.format.tail(&end);
        self.print_for_people(&text);
        if self.is_for_people() && self.is_on_terminal() && !self.args.common.quiet {
            self.print_next_step();
        }
    }

    /// Prints what a user may do next, if anything was found.
    fn print_next_step(&mut self) {
        let of_warnings = self.warnings.codes();
        let codes = if self.error_codes.is_empty() {
            &of_warnings
        } else {
            &self.error_codes
        };
        let codes: Vec<&str> = codes.iter().copied().map(Code::name).collect();
        let has_list = self.args.report.is_some() || self.args.html.is_some();
        if let Some(step) = next_step(&codes, self.printed.failed > 0, has_list) {
            self.print_for_people(&format!("{step}\n"));
        }
    }

    /// Returns the summary as a sentence, with the end of a run that has left inputs out.
    fn sentence(&self, last: &LastLine, inputs: &InputCounts, is_coloured: bool) -> String {
        let sentence = sentence(last, inputs, self.input, is_coloured);
        if !last.interrupted {
            return sentence;
        }
        let (reported, count) = (self.reported, self.count);
        let end = if self.context.interrupt.is_set() {
            "interrupted"
        } else {
            "stopped"
        };
        format!("{end} after {reported} of {count}: {sentence}")
    }

    /// Returns true if standard output has text for people, which may be wrapped.
    fn is_for_people(&self) -> bool {
        self.args.common.format == OutcomeFormat::Human
    }

    /// Returns true if text for people goes to standard error, because the report or expanded documents go to standard output.
    fn is_on_standard_error(&self) -> bool {
        let report = self.context.report.as_ref();
        self.output_is_taken || report.is_some_and(ReportTarget::is_standard_output)
    }

    /// Returns true if text for people goes to a terminal.
    fn is_on_terminal(&self) -> bool {
        if self.is_on_standard_error() {
            std::io::stderr().is_terminal()
        } else {
            std::io::stdout().is_terminal()
        }
    }

    /// Prints text for people.
    pub fn print_for_people(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.is_on_standard_error() {
            print_stderr(&width::wrapped(text, width::of_standard_error(), 2));
        } else {
            let columns = width::of_standard_output().filter(|_| self.is_for_people());
            self.out.bytes(width::wrapped(text, columns, 2).as_bytes());
        }
    }
}

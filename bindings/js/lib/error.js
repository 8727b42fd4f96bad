// The error that functions throw about the contents of files.

/** Returns a finding in one line, as the program prints it. */
function line(finding) {
    const place = [finding.file, finding.line, finding.column].filter((part) => part !== null).join(":");
    const code = finding.code ? ` ${finding.code}` : "";
    const path = finding.path ? ` (${finding.path})` : "";
    const help = finding.help ? `; ${finding.help}` : "";
    const importers = finding.importers.map((importer) => ` (imported at ${importer})`).join("");
    return `${place ? `${place}: ` : ""}${finding.category}${code}: ${finding.message}${path}${help}${importers}`;
}

export class RigyError extends Error {
    constructor(findings, options) {
        super(findings.map(line).join("\n"), options);
        this.name = "RigyError";
        this.findings = findings;
        const [first] = findings;
        for (const field of ["code", "category", "file", "line", "column", "path", "help"]) this[field] = first?.[field] ?? null;
    }
}

/** Returns the error about an input on which the module has stopped, because of the exception `cause`. */
export function stopped(name, cause) {
    const finding = {
        code: null,
        category: "ExportError",
        message: "rigy-batch stopped on this input: it needs more memory than the module can have, or there is a bug in rigy-batch",
        help: "please report it with the input if it is not large",
        file: name,
        line: null,
        column: null,
        path: null,
        importers: [],
        isWarning: false,
        isTransient: false,
    };
    return new RigyError([finding], {cause});
}

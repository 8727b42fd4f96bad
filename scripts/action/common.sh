# shellcheck shell=bash
# Functions of the scripts of the GitHub action. They work with bash 3.2, which macOS has.

# Ends the step with a message that is shown at the workflow. The status is that of a run that could not start.
fail() {
    show_error "$1"
    exit 2
}

# Prints a message as a workflow command. `%` and line ends are percent-encoded, because they would change or end it.
show_error() {
    local text=${1//'%'/%25}
    text=${text//$'\r'/%0D}
    printf '::error title=rigy-batch::%s\n' "${text//$'\n'/%0A}"
}

# Reads a text into the array `lines`: without blanks around lines, and without empty lines.
read_lines() {
    lines=()
    local line
    while IFS=$' \t' read -r line; do
        [ -z "$line" ] || lines+=("$line")
    done <<<"${1//$'\r'/}"
}

# Succeeds if the input named $1 is true.
is_true() {
    case $2 in
    true) ;;
    false) return 1 ;;
    *) fail "the input \`$1\` is \`$2\`; write \`true\` or \`false\`" ;;
    esac
}

# Prints a word that nobody can guess.
token() {
    od -An -N16 -tx1 /dev/urandom | tr -d ' \n'
}

# Sets an output of the step. The random line after which the value ends cannot be part of it.
put() {
    local end
    end=end-$(token)
    printf '%s<<%s\n%s\n%s\n' "$1" "$end" "$2" "$end" >>"$GITHUB_OUTPUT"
}

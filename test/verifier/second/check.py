"""The command, for one artifact, every case of a corpus, or signatures alone; README.md says how to call it."""

import json
import os
import sys

# Leaves no files in this folder.
sys.dont_write_bytecode = True

import ed25519
from verify import Input, verify

OPTIONS = {"--status": "status", "--authority": "policy"}
# Not an exit code of the page: the verification could not run.
UNABLE = 3
UNREADABLE = {"verdict": "UNREADABLE", "exit": 2, "first": None}


def main(arguments):
    """Prints one line for one artifact, or one for each case."""
    try:
        ed25519.require_openssl()
    except ed25519.Unable as unable:
        print(unable, file=sys.stderr)
        return UNABLE
    if len(arguments) == 2 and arguments[0] == "--cases":
        return verify_cases(arguments[1])
    if len(arguments) == 2 and arguments[0] == "--signatures":
        return verify_signatures(arguments[1])
    try:
        inputs = read_arguments(arguments)
    except (OSError, ValueError) as error:
        print(f"usage or file: {error}", file=sys.stderr)
        result = UNREADABLE
    else:
        result = verify(inputs)
    print(json.dumps(result))
    return result["exit"]


def read_arguments(arguments):
    """The files that the arguments name."""
    plain = [argument for argument in arguments if not argument.startswith("--")]
    files = {}
    for argument in arguments:
        if argument in plain:
            continue
        name, _equals, path = argument.partition("=")
        if name not in OPTIONS or not path or OPTIONS[name] in files:
            raise ValueError("an option that is unknown, empty, or given twice")
        files[OPTIONS[name]] = read_file(path)
    if len(plain) != 3:
        raise ValueError("needs <artifact> <keys> <time>")
    return Input(plain[2], read_file(plain[0]), read_file(plain[1]), **files)


def read_file(path):
    """The bytes of a regular file."""
    if not os.path.isfile(path):
        raise ValueError("not a regular file")
    with open(path, "rb") as file:
        return file.read()


def verify_cases(folder):
    """One line for each case folder, without reading the expected outcome."""
    groups = (group for group in os.listdir(folder) if os.path.isdir(os.path.join(folder, group)))
    for name in sorted(f"{group}/{case}" for group in groups for case in os.listdir(os.path.join(folder, group))):
        path = os.path.join(folder, name)
        if os.path.isfile(os.path.join(path, "case.json")):
            print(json.dumps({"case": name, **verify(read_case(path))}), flush=True)
    return 0


def verify_signatures(path):
    """One line for each signature of a file of test vectors, in hexadecimal but for the message."""
    for vector in json.loads(read_file(path)):
        key, signature = bytes.fromhex(vector["key"]), bytes.fromhex(vector["sig"])
        valid = ed25519.valid(key, vector["msg"].encode(), signature)
        print(json.dumps({"number": vector["number"], "valid": valid}))
    return 0


def read_case(path):
    """The input of a case."""
    case = json.loads(read_file(os.path.join(path, "case.json")))
    files = {
        member: read_file(os.path.join(path, case[name]))
        for member, name in (("artifact", "artifact"), ("keys", "keys"), ("status", "status"), ("policy", "policy"))
        if name in case
    }
    return Input(case["checkedAt"], **files)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

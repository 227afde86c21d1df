"""Ed25519, RFC 8032, by the openssl command, whose equation has no cofactor, and the rules on points."""

import atexit
import os
import shutil
import subprocess
import tempfile

P = 2**255 - 19
# The y coordinate of one pair of the points of order 8, little-endian as RFC 8032 writes it; the others have -y.
Y_OF_ORDER_8 = int.from_bytes(
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"
)
SMALL_ORDER = {0, 1, P - 1, Y_OF_ORDER_8, P - Y_OF_ORDER_8}
# The prefix of the 32 bytes of the key in its SubjectPublicKeyInfo, RFC 8410.
PUBLIC_KEY_PREFIX = bytes.fromhex("302a300506032b6570032100")

# The second test of RFC 8032, section 7.1: key, message, signature.
TEST = (
    bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"),
    bytes.fromhex("72"),
    bytes.fromhex("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da")
    + bytes.fromhex("085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
)

verdicts = {}
folders = []


def weak_key(key):
    """Whether a public key is of small order or not written canonically."""
    return y_of(key) >= P or small_order(key)


def valid(key, message, signature):
    """Whether this signature over this message is valid by this key."""
    if len(signature) != 64 or weak_key(key) or small_order(signature[:32]):
        return False
    request = (key, message, signature)
    if request not in verdicts:
        verdicts[request] = run_openssl(*request)
    return verdicts[request]


class Unable(Exception):
    """No signature can be verified on this machine, which is different from an invalid signature."""


def require_openssl():
    """Raises Unable without an openssl that supports Ed25519."""
    try:
        able = run_openssl(*TEST)
    except OSError as error:
        raise Unable(f"cannot run openssl: {error}") from None
    if not able:
        raise Unable("needs an openssl that verifies Ed25519: 3.0 or later")


def small_order(point):
    """Whether 32 bytes are one of the 14 encodings of a point of small order."""
    return y_of(point) % P in SMALL_ORDER


def y_of(point):
    """The y coordinate as written, without the sign of x."""
    return int.from_bytes(point, "little") & (2**255 - 1)


def run_openssl(key, message, signature):
    """The verdict of openssl, through files in a private folder."""
    names = {"key": PUBLIC_KEY_PREFIX + key, "message": message, "signature": signature}
    for name, content in names.items():
        with open(path_of(name), "wb") as file:
            file.write(content)
    command = ["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-keyform", "DER", "-inkey", path_of("key")]
    command += ["-in", path_of("message"), "-sigfile", path_of("signature")]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0


def path_of(name):
    """A file in the private folder, which is made at the first call and removed at the end."""
    if not folders:
        folders.append(tempfile.mkdtemp(prefix="second-checker-"))
        atexit.register(shutil.rmtree, folders[0], ignore_errors=True)
    return os.path.join(folders[0], name)

"""Certificates for servers on loopback, made when a test asks for them and good for an hour."""

from __future__ import annotations

import datetime as dt
import ipaddress
import ssl
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID

_HOUR = dt.timedelta(hours=1)


@dataclass(frozen=True)
class Authority:
    """One that signs certificates, and which nobody trusts who is not told to."""

    folder: Path
    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    @property
    def path(self) -> Path:
        """The file of its own certificate."""
        return self.folder / "authority.pem"

    def trusted(self) -> ssl.SSLContext:
        """What a client has that trusts this authority and no other."""
        return ssl.create_default_context(cafile=str(self.path))

    def server(self, *names: str, age: dt.timedelta = dt.timedelta()) -> ssl.SSLContext:
        """What a server has whose certificate is for ``names``, and expires an hour after
        ``age`` ago.
        """
        key = ec.generate_private_key(ec.SECP256R1())
        issuer = self.certificate.subject
        made = _certificate(key, issuer, names[0], self.key, age=age, names=names)
        path = self.folder / f"server-{made.serial_number}.pem"
        private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        path.write_bytes(private + made.public_bytes(Encoding.PEM))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context


def authority(folder: Path) -> Authority:
    """A new authority, whose files lie in a folder."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name("An authority of the tests")
    made = Authority(
        folder, key, _certificate(key, name, "An authority of the tests", key)
    )
    made.path.write_bytes(made.certificate.public_bytes(Encoding.PEM))
    return made


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _certificate(
    key: ec.EllipticCurvePrivateKey,
    issuer: x509.Name,
    subject: str,
    signer: ec.EllipticCurvePrivateKey,
    *,
    age: dt.timedelta = dt.timedelta(),
    names: tuple[str, ...] = (),
) -> x509.Certificate:
    now = dt.datetime.now(dt.UTC) - age
    public = signer.public_key()
    builder = (
        x509.CertificateBuilder()
        .subject_name(_name(subject))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _HOUR)
        .not_valid_after(now + _HOUR)
        .add_extension(x509.BasicConstraints(ca=not names, path_length=None), True)
        .add_extension(
            x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False
        )
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(public), False
        )
        .add_extension(_usage(signs=not names), True)
    )
    if names:
        said = [_subject(each) for each in names]
        builder = builder.add_extension(x509.SubjectAlternativeName(said), False)
    return builder.sign(signer, hashes.SHA256())


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        key_cert_sign=signs,
        crl_sign=signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _subject(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)

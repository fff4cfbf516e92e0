import { generate } from 'selfsigned';

/** A self-signed certificate in PEM that expires in an hour, or expired an hour ago. */
export async function aCertificate({ hostname, isExpired = false }: { hostname: string; isExpired?: boolean }) {
  const hour = 3_600_000;
  const end = Date.now() + (isExpired ? -hour : hour);
  const { cert, private: key } = await generate([{ name: 'commonName', value: hostname }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(end - 24 * hour),
    notAfterDate: new Date(end),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: hostname }] }],
  });
  return { cert, key };
}

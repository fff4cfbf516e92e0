/** The expiry of a signature. S3 has accepted it, so its date is valid. */
export function expiryOf(signature: { 'X-Amz-Date': string; 'X-Amz-Expires': string }): Date {
  const [, ...fields] = /^(....)(..)(..T..)(..)(..Z)$/.exec(signature['X-Amz-Date']) ?? [];
  const [year, month, dayAndHour, minute, second] = fields;
  const signedAt = Date.parse(`${year}-${month}-${dayAndHour}:${minute}:${second}`);
  return new Date(signedAt + Number(signature['X-Amz-Expires']) * 1000);
}

const mebibyte = 1024 ** 2;

/** S3's limit of an upload (Amazon S3 User Guide, "Multipart upload limits"). */
const maxParts = 10_000;
/** Four concurrent parts take 64 MiB of memory. They are larger for a file above 156 GiB only. */
const minPartBytes = 16 * mebibyte;

/** The size of all parts but the last: whole mebibytes, of which the file has at most `maxParts`. */
export function choosePartSize(
  sizeBytes: number,
  limits: { maxParts: number; minPartBytes: number } = { maxParts, minPartBytes },
): number {
  const neededBytes = Math.ceil(sizeBytes / limits.maxParts / mebibyte) * mebibyte;
  return Math.max(limits.minPartBytes, neededBytes);
}

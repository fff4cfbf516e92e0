/** The bucket and the key of a path-style request. The key is empty for a request to the bucket. */
export function objectOf({ path }: { path: string }): { bucket: string; key: string } {
  const [, bucket = '', ...key] = path.split('/').map(decodeURIComponent);
  return { bucket, key: key.join('/') };
}

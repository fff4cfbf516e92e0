/** The kinds of storage that speak S3's protocol. Each has rules of its own for endpoint, region and access. */
export const providerKinds = ['s3', 'r2', 'b2', 'gcs', 's3-compatible'] as const;

/** What jobs may do in a bucket of the stage. */
export const bucketAccesses = ['read', 'write', 'read-write'] as const;

export type ProviderKind = (typeof providerKinds)[number];

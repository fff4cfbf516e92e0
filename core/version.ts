/** The version of the service, that of package.json (Semantic Versioning 2.0.0). CHANGELOG.md says what each one changes. */
export const version = '0.2.0';

/** The User-Agent of downloads and webhooks. */
export const userAgent = `media-jobs/${version}`;

/** Header of every answer of the API's functions. */
export const versionHeader = 'media-jobs-version';

/** Replaces the SDK's detection of browsers in every bundle and saves 34 KB. It is called in browsers only. */
export function parse(): never {
  throw new Error('Browser detection is excluded from this bundle; see lib/build/sdk-stubs/browser-detection.ts');
}

import { FetchError } from 'aws-jwt-verify/error';

/** Fetches a document of the identity provider. Throws the library's FetchError where it cannot be had. */
export type FetchDocument = (uri: string) => Promise<ArrayBuffer>;

const timeoutMs = 3_000;

/** By Node's own fetch, since the library's speaks https alone and the local provider does not. */
export const fetchDocument: FetchDocument = async (uri) => {
  try {
    const answer = await fetch(uri, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return await answer.arrayBuffer();
  } catch (cause) {
    throw new FetchError(uri, cause);
  }
};

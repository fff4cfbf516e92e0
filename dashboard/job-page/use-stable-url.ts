import { useState } from 'react';

/**
 * The URL of a file, which stays as long as it works: a fresh signature is no reason to begin a film anew. Whoever uses
 * it gives the component the file's id as its key.
 */
export function useStableUrl(signedUrl: string) {
  const [url, setUrl] = useState(signedUrl);
  const [failed, setFailed] = useState(false);
  const onError = () => {
    if (url === signedUrl) setFailed(true);
    else setUrl(signedUrl);
  };
  return { url, failed, onError };
}

import { useState } from 'react';

/**
 * Keeps a signed URL until it fails, so that a renewed signature does not restart a playing video. The component needs
 * the file's id as its key.
 */
export function useStableUrl(signedUrl: string) {
  const [url, setUrl] = useState(signedUrl);
  const [hasFailed, setHasFailed] = useState(false);
  const onError = () => {
    if (url === signedUrl) setHasFailed(true);
    else setUrl(signedUrl);
  };
  return { url, hasFailed, onError };
}

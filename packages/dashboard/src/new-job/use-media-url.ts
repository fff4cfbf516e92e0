import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';

/** Waits until a URL is typed. */
const typingPauseMs = 600;

/** A URL that the browser can load: of a local file, or that of the web. */
export function useMediaUrl(source: unknown): string | undefined {
  const [settled] = useDebouncedValue(source, source instanceof File ? 0 : typingPauseMs);
  const [objectUrl, setObjectUrl] = useState<string>();
  useEffect(() => {
    if (!(source instanceof File)) return;
    const url = URL.createObjectURL(source);
    setObjectUrl(url);
    return () => {
      URL.revokeObjectURL(url);
      setObjectUrl(undefined);
    };
  }, [source]);
  if (source instanceof File) return objectUrl;
  return typeof settled === 'string' && settled === source && URL.parse(settled)?.protocol.startsWith('http')
    ? settled
    : undefined;
}

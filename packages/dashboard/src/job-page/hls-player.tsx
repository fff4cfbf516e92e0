import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import media from '../ui/media-view.module.css';
import { useStableUrl } from '../ui/media-view.tsx';
import { attachStream } from './attach-stream.ts';
import type { OutputFile } from './output-file.ts';

/** Plays an HLS playlist, which the API fills with signed URLs. */
export function HlsPlayer({ signedUrl, files }: { signedUrl: string; files: Record<string, OutputFile> }) {
  const video = useRef<HTMLVideoElement>(null);
  const { url, hasFailed, onError } = useStableUrl(signedUrl);
  const onErrorRef = useRef(onError);
  onErrorRef.current = onError;
  useEffect(() => {
    if (video.current === null) return;
    return attachHlsPlayer(video.current, { url, onError: () => onErrorRef.current() });
  }, [url]);
  if (hasFailed) {
    return (
      <Text size="sm" c="dimmed">
        This browser cannot play the stream: it may not support HLS, or the storage cannot be reached. Copy the URL from
        the list of files.
      </Text>
    );
  }
  const rendition = Object.values(files).find(({ width }) => width !== undefined);
  return (
    <div className={media.stage} style={{ aspectRatio: `${rendition?.width ?? 16} / ${rendition?.height ?? 9}` }}>
      {/* biome-ignore lint/a11y/useMediaCaption: hls.js adds the subtitles of the stream. */}
      <video ref={video} controls playsInline preload="metadata" aria-label="Result" />
    </div>
  );
}

type Stream = { url: string; onError: () => void };

/** Attaches hls.js, loaded on demand, to a video element. Call the returned function to detach it. */
function attachHlsPlayer(video: HTMLVideoElement, { url, onError }: Stream): () => void {
  const detached = new AbortController();
  void import('hls.js').then(({ default: Hls }) => {
    if (detached.signal.aborted) return;
    // hls.js creates its worker from a blob: URL, which the content security policy forbids.
    const player = attachStream(Hls, video, { url, config: { enableWorker: false }, onError });
    if (player === undefined) {
      // Safari plays HLS natively.
      video.addEventListener('error', onError, { signal: detached.signal });
      video.src = url;
      return;
    }
    detached.signal.addEventListener('abort', () => player.destroy());
  }, onError);
  return () => detached.abort();
}

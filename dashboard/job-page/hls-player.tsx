import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { JobResource } from '../../core/api/job-resource.ts';
import { attachHlsPlayer } from './attach-hls-player.ts';
import classes from './result.module.css';
import { useStableUrl } from './use-stable-url.ts';

type Files = NonNullable<JobResource['output_files']>;

/** Plays a video of several sizes by its HLS playlist, which the API fills with signed URLs. */
export function HlsPlayer({ signedUrl, files }: { signedUrl: string; files: Files }) {
  const video = useRef<HTMLVideoElement>(null);
  const { url, failed, onError } = useStableUrl(signedUrl);
  const fail = useRef(onError);
  fail.current = onError;
  useEffect(() => {
    if (video.current === null) return;
    return attachHlsPlayer(video.current, { url, onError: () => fail.current() });
  }, [url]);
  if (failed) {
    return (
      <Text size="sm" c="dimmed">
        The stream cannot be played here: the storage may be out of reach, or this browser may not know how.
        Its URL is in the list of files.
      </Text>
    );
  }
  const picture = Object.values(files).find(({ width }) => width !== undefined);
  return (
    <div
      className={classes.stage}
      style={{ aspectRatio: `${picture?.width ?? 16} / ${picture?.height ?? 9}` }}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: there are no captions of what users encode. */}
      <video ref={video} controls playsInline preload="metadata" aria-label="Result" />
    </div>
  );
}

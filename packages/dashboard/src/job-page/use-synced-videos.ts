import { useRef, useState } from 'react';

/** A larger offset between the two videos is visible. */
const maxDriftSeconds = 0.08;

/**
 * Plays two videos in sync: the result leads, and the input follows.
 * @param offsetSeconds position in the input of the result's first frame
 */
export function useSyncedVideos(offsetSeconds: number) {
  const result = useRef<HTMLVideoElement>(null);
  const input = useRef<HTMLVideoElement>(null);
  const [isPlaying, setIsPlaying] = useState(false);
  const [seconds, setSeconds] = useState(0);

  const alignInput = () => {
    const [leader, follower] = [result.current, input.current];
    if (leader === null || follower === null) return;
    setSeconds(leader.currentTime);
    const position = leader.currentTime + offsetSeconds;
    if (Math.abs(follower.currentTime - position) > maxDriftSeconds) follower.currentTime = position;
  };
  const seek = (to: number) => {
    if (result.current !== null) result.current.currentTime = to;
    alignInput();
  };
  const toggle = () => {
    for (const video of [result.current, input.current]) {
      if (isPlaying) video?.pause();
      else void video?.play().catch(() => undefined);
    }
  };
  const events = {
    onTimeUpdate: alignInput,
    onSeeked: alignInput,
    onPlay: () => setIsPlaying(true),
    onPause: () => setIsPlaying(false),
    onEnded: () => input.current?.pause(),
  };
  return { result, input, events, isPlaying, seconds, seek, toggle, align: alignInput };
}

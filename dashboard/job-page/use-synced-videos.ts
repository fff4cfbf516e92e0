import { useRef, useState } from 'react';

/** Beyond this, a difference between two films is seen. */
const mostDriftSeconds = 0.08;

/**
 * Two videos that play as one: the result leads, and the input, which began so many seconds earlier, is put right whenever
 * it has drifted.
 */
export function useSyncedVideos(offsetSeconds: number) {
  const result = useRef<HTMLVideoElement>(null);
  const input = useRef<HTMLVideoElement>(null);
  const [plays, setPlays] = useState(false);
  const [seconds, setSeconds] = useState(0);

  const follow = () => {
    const [leader, follower] = [result.current, input.current];
    if (leader === null || follower === null) return;
    setSeconds(leader.currentTime);
    const place = leader.currentTime + offsetSeconds;
    if (Math.abs(follower.currentTime - place) > mostDriftSeconds) follower.currentTime = place;
  };
  const seek = (to: number) => {
    if (result.current !== null) result.current.currentTime = to;
    follow();
  };
  const toggle = () => {
    for (const video of [result.current, input.current]) {
      if (plays) video?.pause();
      else void video?.play().catch(() => undefined);
    }
  };
  const events = {
    onTimeUpdate: follow,
    onSeeked: follow,
    onPlay: () => setPlays(true),
    onPause: () => setPlays(false),
    onEnded: () => input.current?.pause(),
  };
  return { result, input, events, plays, seconds, seek, toggle, align: follow };
}

import { Skeleton, Text } from '@mantine/core';
import { formatDuration } from '@media-jobs/cli/formatting';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Section } from '../ui/section.tsx';
import classes from './result.module.css';
import { cueStyle, readCues } from './sprite-cues.ts';

/** The thumbnails of a sprite as the seek bar of a player shows them: one for each position. */
export function SpriteScrubber({ cuesUrl, fileId }: { cuesUrl: string; fileId: string }) {
  const { data: cues, isPending } = useQuery({
    queryKey: ['sprite', fileId],
    queryFn: ({ signal }) => readCues(cuesUrl, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [index, setIndex] = useState(0);
  const cue = cues?.[index];
  if (isPending) return <Skeleton height={160} aria-label="Loading the thumbnails" />;
  if (cues === undefined || cue === undefined) return null;
  const time = `${formatDuration(cue.start)} to ${formatDuration(cue.end)}`;
  return (
    <Section title="Seek bar preview">
      <div role="img" aria-label={`Thumbnail of ${time}`} style={cueStyle(cue)} />
      <div className={classes.controls}>
        <input
          type="range"
          min={0}
          max={cues.length - 1}
          value={index}
          onChange={({ currentTarget }) => setIndex(Number(currentTarget.value))}
          aria-label="Thumbnail"
          aria-valuetext={time}
        />
        <Text size="sm" c="dimmed" className="numbers">
          {time}
        </Text>
      </div>
    </Section>
  );
}

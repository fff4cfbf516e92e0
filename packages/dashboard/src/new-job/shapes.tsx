import { Button, Group } from '@mantine/core';
import type { DraftStep } from './draft.ts';

const shapes = [
  { label: '9:16 vertical (Reels, Shorts, TikTok)', width: 1080, height: 1920 },
  { label: '4:5 portrait (feed)', width: 1080, height: 1350 },
  { label: '1:1 square', width: 1080, height: 1080 },
  { label: '16:9 landscape', width: 1920, height: 1080 },
];

/** Sizes that people ask for by name. The frame is filled, and what is beyond it is cut off. */
export function Shapes({
  parameters,
  onChange,
}: {
  parameters: DraftStep['parameters'];
  onChange: (parameters: DraftStep['parameters']) => void;
}) {
  return (
    <Group gap="xs" mb="md">
      {shapes.map(({ label, width, height }) => {
        const isChosen = parameters.width === width && parameters.height === height && parameters.fit === 'cover';
        return (
          <Button
            key={label}
            size="xs"
            variant={isChosen ? 'light' : 'default'}
            aria-pressed={isChosen}
            onClick={() => onChange({ ...parameters, width, height, fit: 'cover' })}
          >
            {label}
          </Button>
        );
      })}
    </Group>
  );
}

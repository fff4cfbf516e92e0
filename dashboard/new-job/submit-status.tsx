import { Button, Group, Progress, Text } from '@mantine/core';
import { Callout } from '../ui/callout.tsx';
import { UntrustedText } from '../ui/untrusted-text.tsx';

type Props = {
  /** Of the upload, from 0 to 1; undefined while there is none. */
  progress: number | undefined;
  isPending: boolean;
  problem: string | undefined;
  onCancel: () => void;
};

/** How the submission goes: the upload's progress, or why it failed. */
export function SubmitStatus({ progress, isPending, problem, onCancel }: Props) {
  if (isPending && progress !== undefined) {
    const percent = Math.floor(progress * 100);
    return (
      <div>
        <Group justify="space-between" mb={6}>
          <Text size="sm" className="numbers">
            Uploading · {percent} %
          </Text>
          <Button size="compact-xs" variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
        <Progress.Root size={8}>
          <Progress.Section value={percent} aria-label="Upload" />
        </Progress.Root>
      </div>
    );
  }
  if (problem === undefined) return null;
  return (
    <Callout tone="bad" urgent title="The job was not created">
      <UntrustedText>{problem}</UntrustedText>
    </Callout>
  );
}

import { Button, Group, Progress, Text } from '@mantine/core';
import { Callout } from '../ui/callout.tsx';
import { UntrustedText } from '../ui/text.tsx';

type Props = {
  /** Progress of the upload from 0 to 1; undefined if nothing is being uploaded. */
  progress: number | undefined;
  isPending: boolean;
  problem: string | undefined;
  isCancelled: boolean;
  onCancel: () => void;
};

/** The progress of the upload, that it was cancelled, or the error of the request. */
export function SubmitStatus({ progress, isPending, problem, isCancelled, onCancel }: Props) {
  if (isPending && progress !== undefined) {
    const percent = Math.floor(progress * 100);
    return (
      <div>
        <Group justify="space-between" mb={6}>
          <Text size="sm" className="numbers">
            Uploading · {percent}%
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
  if (isCancelled && !isPending) {
    return (
      <Text size="sm" tabIndex={-1} ref={focus}>
        Upload cancelled.
      </Text>
    );
  }
  if (problem === undefined) return null;
  return (
    <Callout tone="error" urgent title="Could not create the job">
      <UntrustedText>{problem}</UntrustedText>
    </Callout>
  );
}

/** The Cancel button has gone: the focus moves to the message, which is read, and Tab continues from there. */
function focus(element: HTMLElement | null) {
  element?.focus({ preventScroll: true });
}

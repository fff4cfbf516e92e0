/**
 * Replaces the SDK's event streams in every bundle and saves 12 KB. Of our services only S3's SelectObjectContent uses
 * one, and no function calls it. If the SDK imports a further name, the build fails.
 */
export class EventStreamSerde {
  /** @throws Error always, so that a call that needs an event stream fails visibly */
  constructor() {
    throw new Error('Event streams are excluded from this bundle; see lib/build/sdk-stubs/event-streams.ts');
  }
}

export function eventStreamSerdeProvider(): EventStreamSerde {
  return new EventStreamSerde();
}

export function resolveEventStreamSerdeConfig<Input extends object>(input: Input): Input {
  return input;
}

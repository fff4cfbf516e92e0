/**
 * Stands in for the SDK's event streams in every bundle: no operation that a function calls has one (of our services
 * only S3's SelectObjectContent does), and they would bring 12 KB. A name that the SDK should want beside these stops
 * the build.
 */
export class EventStreamSerde {
  /** @throws Error always: a call that needs one must not pass for one that worked */
  constructor() {
    throw new Error('Event streams are left out of this bundle; see lib/build/sdk-stubs/event-streams.ts');
  }
}

export function eventStreamSerdeProvider(): EventStreamSerde {
  return new EventStreamSerde();
}

export function resolveEventStreamSerdeConfig<Input extends object>(input: Input): Input {
  return input;
}

import { Counter, Gauge, type Registry } from 'prom-client'
import type { InputStatus } from '../../inventory/line-up/input-status.ts'

/** An input with its state, for metrics. */
export interface MeasuredInput {
  channelId: number
  /** The kinds of the input's addresses, in words. */
  kinds: { main: string; spare: string | undefined }
  status: InputStatus
}

/** Adds the metrics of live inputs. Each request of `/metrics` reads the states of the inputs. */
export function registerInputMetrics(registry: Registry, inputs: () => readonly MeasuredInput[]): void {
  const labelNames = ['channel', 'address'] as const
  const lines = () =>
    inputs().flatMap(({ channelId, status: { main, spare } }) => [
      { channel: channelId, address: 'main', line: main },
      ...(spare ? [{ channel: channelId, address: 'spare', line: spare }] : []),
    ])
  const metrics = [
    new Gauge({
      name: 'ondine_input_info',
      help: 'Kinds of addresses, by channel and address. Always 1.',
      labelNames: [...labelNames, 'kind'],
      registers: [],
      collect() {
        this.reset()
        for (const { channelId, kinds } of inputs())
          for (const address of ['main', 'spare'] as const)
            if (kinds[address] !== undefined)
              this.set({ channel: channelId, address, kind: kinds[address] }, 1)
      },
    }),
    new Gauge({
      name: 'ondine_input_bits_per_second',
      help: 'Media that arrives, by channel and address.',
      labelNames,
      registers: [],
      collect() {
        this.reset()
        for (const { line, ...labels } of lines()) this.set(labels, line.bitsIn)
      },
    }),
    new Gauge({
      name: 'ondine_input_stored_bits_per_second',
      help: 'Media that is stored, by channel.',
      labelNames: ['channel'],
      registers: [],
      collect() {
        this.reset()
        for (const { channelId, status } of inputs()) this.set({ channel: channelId }, status.bitsOut)
      },
    }),
    new Gauge({
      name: 'ondine_input_on_air',
      help: 'Whether the address is on the air: 1 or 0.',
      labelNames,
      registers: [],
      collect() {
        this.reset()
        for (const { channelId, status } of inputs())
          for (const address of ['main', 'spare'] as const)
            if (status[address]) this.set({ channel: channelId, address }, status.active === address ? 1 : 0)
      },
    }),
    new Gauge({
      name: 'ondine_input_on_air_since_seconds',
      help: 'Since when the address is on the air, in seconds since the Unix epoch, by channel and address.',
      labelNames,
      registers: [],
      collect() {
        this.reset()
        for (const { channelId, status } of inputs())
          if (status.active !== null && status.activeSince !== null)
            this.set({ channel: channelId, address: status.active }, status.activeSince / 1000)
      },
    }),
    new Counter({
      name: 'ondine_input_late_segments_total',
      help: 'Segments that were complete more than half their length after they were due, by channel and address.',
      labelNames,
      registers: [],
      collect() {
        this.reset()
        for (const { line, ...labels } of lines()) this.inc(labels, line.lateSegments ?? 0)
      },
    }),
    new Counter({
      name: 'ondine_input_lost_frames_total',
      help: 'Frames of the picture that did not arrive, by channel and address.',
      labelNames,
      registers: [],
      collect() {
        this.reset()
        for (const { line, ...labels } of lines()) this.inc(labels, line.lostFrames)
      },
    }),
    new Counter({
      name: 'ondine_input_lost_segments_total',
      help: 'Segments that could not be stored, by channel.',
      labelNames: ['channel'],
      registers: [],
      collect() {
        this.reset()
        for (const { channelId, status } of inputs()) this.inc({ channel: channelId }, status.lostSegments)
      },
    }),
  ]
  for (const metric of metrics) registry.registerMetric(metric)
}

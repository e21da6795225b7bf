import { readSource, SourceAddressError } from '../../../ingest/live/live-source.ts'
import type { InputRow } from './live-input.ts'

/**
 * Returns, for each RTMP input by its id, the id of the first input in its group. Inputs that share a port form a
 * group. Only one process can listen on a port, so one process must receive all inputs of a group.
 *
 * @param inputs in the order of their ids
 */
export function firstOfPorts(
  inputs: readonly Pick<InputRow, 'id' | 'address' | 'spareAddress'>[],
): Map<number, number> {
  const firsts = new Map<string, number>()
  const portsOf = inputs.map(({ id, address, spareAddress }) => {
    const ports = [address, spareAddress].flatMap((each) => (each === null ? [] : rtmpPort(each)))
    const known = ports.flatMap((port) => firsts.get(port) ?? [])
    const first = Math.min(id, ...known)
    // An input that listens on two ports merges the groups of both ports.
    for (const [port, other] of firsts) if (known.includes(other)) firsts.set(port, first)
    for (const port of ports) firsts.set(port, first)
    return { id, port: ports[0] }
  })
  return new Map(
    portsOf.flatMap(({ id, port }) => (port === undefined ? [] : [[id, firsts.get(port) ?? id] as const])),
  )
}

function rtmpPort(address: string): string[] {
  try {
    const source = readSource(address)
    return source.kind === 'rtmp' ? [`${source.host} ${source.port}`] : []
  } catch (error) {
    // Only an earlier version accepted this address.
    if (error instanceof SourceAddressError) return []
    throw error
  }
}

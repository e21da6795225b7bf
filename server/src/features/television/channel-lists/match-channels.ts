import type { ListedChannel } from './channel-list.ts'

/** A stored channel from an earlier import of the list. */
export interface KnownChannel {
  id: number
  name: string
  guideId: string | null
  address: string
}

/**
 * Matches the channels of a list with stored channels. Lists have no stable identifiers: addresses contain tokens,
 * several variants of a channel share a `tvg-id`, and names are edited. So pairs that agree in most fields are
 * matched first. Each channel is matched at most once.
 *
 * @returns the stored channel for each listed channel; undefined for a new channel.
 */
export function matchChannels(
  listed: readonly ListedChannel[],
  known: readonly KnownChannel[],
): (KnownChannel | undefined)[] {
  const found: (KnownChannel | undefined)[] = listed.map(() => undefined)
  const free = new Set(known)
  const rules: {
    of: (channel: { name: string; guideId: string | null; address: string }) => string | null
    unique: boolean
  }[] = [
    { of: ({ name, guideId, address }) => JSON.stringify([name, guideId, address]), unique: false },
    { of: ({ name, guideId }) => guideId && JSON.stringify([guideId, name]), unique: false },
    { of: ({ address }) => address, unique: true },
    { of: ({ guideId }) => guideId, unique: true },
    { of: ({ name }) => name, unique: true },
  ]
  for (const { of, unique } of rules) {
    const waiting = new Map<string, KnownChannel[]>()
    for (const channel of free) {
      const key = of(channel)
      if (key !== null) addTo(waiting, key, channel)
    }
    const wanted = new Map<string, number[]>()
    for (const [index, channel] of listed.entries()) {
      const key = found[index] ? null : of({ ...channel, address: channel.source.address })
      if (key !== null && waiting.has(key)) addTo(wanted, key, index)
    }
    for (const [key, indexes] of wanted) {
      const candidates = waiting.get(key) ?? []
      // An address, a guide id or a name alone identifies a channel only if it is unique.
      if (unique && (indexes.length > 1 || candidates.length > 1)) continue
      for (const [place, index] of indexes.entries()) {
        const candidate = candidates[place]
        if (!candidate) break
        found[index] = candidate
        free.delete(candidate)
      }
    }
  }
  return found
}

function addTo<Value>(groups: Map<string, Value[]>, key: string, value: Value): void {
  const group = groups.get(key)
  if (group) group.push(value)
  else groups.set(key, [value])
}

/**
 * Assigns a number to each channel: the requested number if it is free, otherwise the previous number, otherwise
 * the lowest free number.
 *
 * @param taken numbers of channels outside the list.
 */
export function giveNumbers(
  wanted: readonly { wish: number | null; had: number | null }[],
  taken: ReadonlySet<number>,
  first: number,
): number[] {
  const used = new Set(taken)
  const given: (number | undefined)[] = wanted.map(() => undefined)
  const take = (index: number, number: number | null): void => {
    if (number === null || given[index] !== undefined || used.has(number)) return
    used.add(number)
    given[index] = number
  }
  for (const [index, { wish, had }] of wanted.entries()) if (wish !== null && wish === had) take(index, wish)
  for (const [index, { wish }] of wanted.entries()) take(index, wish)
  for (const [index, { had }] of wanted.entries()) take(index, had)
  let next = first
  return given.map((number) => {
    if (number !== undefined) return number
    while (used.has(next)) next++
    used.add(next)
    return next
  })
}

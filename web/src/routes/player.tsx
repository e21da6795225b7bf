import { createFileRoute } from '@tanstack/react-router'
import { notAvailable } from '../shell/not-available.tsx'

/** What to play: one of an asset, a channel or a trailer by its id, and where to begin (V2.1-16). */
export interface PlayerSearch {
  asset?: number
  channel?: number
  /** The media of a trailer. */
  trailer?: number
  /** Seconds into the asset; without it the place where the profile stopped. */
  t?: number
}

export const Route = createFileRoute('/player')({
  validateSearch: ({ asset, channel, trailer, t }: Record<string, unknown>): PlayerSearch => ({
    ...ifId('asset', asset),
    ...ifId('channel', channel),
    ...ifId('trailer', trailer),
    ...(typeof t === 'number' && t >= 0 ? { t } : {}),
  }),
  ...notAvailable(),
})

function ifId<Name extends string>(name: Name, value: unknown): { [name in Name]?: number } {
  // A computed name makes TypeScript forget which name it is.
  return Number.isSafeInteger(value) && Number(value) > 0
    ? ({ [name]: value } as { [name in Name]: number })
    : {}
}

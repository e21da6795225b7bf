import { pairingStatus, startPairing } from '@ondine/contract/pairing'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { CODES } from '../../../api/codes.ts'

/** The state of the pairing of a television, as its screen shows it. */
export type PairingState =
  | { kind: 'starting' | 'expired' | 'failed' }
  | { kind: 'waiting'; code: string; isFull: boolean }

/**
 * Returns the code that this television shows, and the state of its pairing. This browser is signed in after a
 * viewer has entered and confirmed the code on another device. `renew` requests a new code.
 */
export function usePairingCode(onPaired: () => void): { state: PairingState; renew: () => void } {
  const [round, setRound] = useState(0)
  const started = useQuery({
    queryKey: ['startPairing', round],
    queryFn: async () => await call(startPairing, {}),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const secret = started.data?.secret
  const asked = useQuery({
    queryKey: ['pairingStatus', secret],
    queryFn: async () => await ask(secret ?? ''),
    enabled: secret !== undefined,
    retry: false,
    refetchInterval: ({ state: { data } }) =>
      data === 'paired' || data === 'expired' ? false : (started.data?.pollMs ?? false),
    refetchIntervalInBackground: true,
  })
  const became = asked.data
  const proceed = useEffectEvent(onPaired)
  useEffect(() => {
    if (became === 'paired') proceed()
  }, [became])
  return { state: stateOf(), renew: () => setRound(round + 1) }

  function stateOf(): PairingState {
    if (started.isError) return { kind: 'failed' }
    if (became === 'expired') return { kind: 'expired' }
    if (started.data === undefined) return { kind: 'starting' }
    return { kind: 'waiting', code: started.data.code, isFull: became === 'full' }
  }
}

/** Asks the service for the state of a code. Returns `waiting` if the request fails, so that polling continues. */
async function ask(secret: string): Promise<'waiting' | 'expired' | 'paired' | 'full'> {
  try {
    return (await call(pairingStatus, { secret })).state
  } catch (error) {
    return error instanceof ApiError && error.code === CODES.tooManyDevices ? 'full' : 'waiting'
  }
}

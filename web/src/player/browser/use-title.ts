import { useSelector } from '@xstate/react'
import { useEffect } from 'react'
import { useSession } from '../../features/ground/session/session.ts'
import type { PlayerActor } from '../machine/player-machine.ts'

/** Sets the document's title to the title of the content. */
export function useTitle(actor: PlayerActor): void {
  const { name } = useSession().storefront
  const title = useSelector(actor, ({ context: { playable, liveEpgProgram } }) =>
    playable === null ? undefined : [liveEpgProgram?.title, playable.title, name].filter(Boolean).join(' · '),
  )
  useEffect(() => {
    if (title === undefined) return undefined
    const before = document.title
    document.title = title
    return () => {
      // Restores the title only if the next page has not set another title.
      if (document.title === title) document.title = before
    }
  }, [title])
}

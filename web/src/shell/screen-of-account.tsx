import { useEffect } from 'react'
import { pathOf } from '../features/ground/links/content-link.ts'
import { forgetScreen } from '../features/people/devices/paired-screen.ts'
import { leaveHandOver } from '../features/viewing/casting/hand-over.ts'
import { followService } from '../features/viewing/casting/service-socket.ts'

/**
 * Makes a paired television a screen for casting while it shows any page. When a phone casts to the television,
 * the receiver opens.
 */
export default function ScreenOfAccount({ accountId }: { accountId: number }) {
  useEffect(() => {
    let number: number | undefined
    return followService({
      screenOf: accountId,
      after: () => number,
      heard: (message) => {
        if (message.type === 'opened') number ??= message.number
        if (message.type === 'command') number = message.number
        if (message.type !== 'load') return
        leaveHandOver(message.number - 1)
        location.assign(pathOf('receiver'))
      },
      ended: (reason) => {
        if (reason === 'revoked') forgetScreen()
      },
    })
  }, [accountId])
  return null
}

import { useCallback, useState } from 'react'
import { useScreenAddress } from './use-screen.ts'

/**
 * Returns the open state of a panel. The state belongs to the current address, so a navigation closes the panel
 * (V4-09). It stays closed when the viewer comes back.
 */
export function useOpenHere(): [open: boolean, setOpen: (open: boolean) => void] {
  const address = useScreenAddress()
  const [openAt, setOpenAt] = useState<string>()
  if (openAt !== undefined && openAt !== address) setOpenAt(undefined)
  const setOpen = useCallback((open: boolean) => setOpenAt(open ? address : undefined), [address])
  return [openAt === address, setOpen]
}

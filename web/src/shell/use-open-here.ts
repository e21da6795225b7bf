import { useCallback, useState } from 'react'
import { useScreenAddress } from './use-screen.ts'

/**
 * Returns the open state of a panel that belongs to the current address. A change of the address closes the
 * panel (V4-09).
 */
export function useOpenHere(): [open: boolean, setOpen: (open: boolean) => void] {
  const address = useScreenAddress()
  const [openAt, setOpenAt] = useState<string>()
  const setOpen = useCallback((open: boolean) => setOpenAt(open ? address : undefined), [address])
  return [openAt === address, setOpen]
}

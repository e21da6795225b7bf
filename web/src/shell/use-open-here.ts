import { useCallback, useState } from 'react'
import { useScreenAddress } from './use-screen.ts'

/** Something that is open on one screen only: another address closes it, because it belongs to the one before (V4-09). */
export function useOpenHere(): [open: boolean, setOpen: (open: boolean) => void] {
  const address = useScreenAddress()
  const [openAt, setOpenAt] = useState<string>()
  const setOpen = useCallback((open: boolean) => setOpenAt(open ? address : undefined), [address])
  return [openAt === address, setOpen]
}

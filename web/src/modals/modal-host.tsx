import { type ComponentType, type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { modal } from './modal.ts'
import { MUST_BE_ANSWERED } from './modal-kinds.ts'

const load = () => import('./modal-stage.tsx')

/** Fetches what modals are shown with, for a hand that comes near what opens one. */
export function preloadModals(): void {
  // Opening one asks again, and hears of a failure.
  load().catch(() => {})
}

/**
 * Where modals appear. Without any it costs nothing: their code is fetched with the first one. When that cannot be
 * had the modal closes without an answer, so that nobody waits for one.
 *
 * @param onFault told when a modal could not be shown
 */
export function ModalHost({ onFault }: { onFault: (fault: unknown) => void }) {
  const open = useSyncExternalStore(modal.subscribe, isOpen, () => false)
  const [Stage, setStage] = useState<ComponentType<{ onFault: (fault: unknown) => void }>>()
  useEarlyEscape(useFocusReturn(open))
  useEffect(() => {
    if (!open || Stage !== undefined) return
    load().then(
      (loaded) => setStage(() => loaded.default),
      (fault: unknown) => {
        modal.dismiss()
        onFault(fault)
      },
    )
  }, [open, Stage, onFault])
  return Stage === undefined ? null : <Stage onFault={onFault} />
}

function isOpen(): boolean {
  return modal.current() !== null
}

/**
 * Gives the focus back to what had it when the first modal opened, as soon as the last one closes.
 *
 * @returns what had it
 */
function useFocusReturn(open: boolean): RefObject<Element | null> {
  const origin = useRef<Element | null>(null)
  useEffect(
    () =>
      modal.subscribe(() => {
        if (modal.current() === null) return
        const { activeElement } = document
        // From one modal to the next the focus is in the first: its origin is the one to go back to.
        if (activeElement?.closest('[role=dialog], [role=alertdialog]') == null)
          origin.current = activeElement
      }),
    [],
  )
  useEffect(() => {
    if (!open) return undefined
    return () => {
      if (origin.current instanceof HTMLElement && origin.current.isConnected) origin.current.focus()
    }
  }, [open])
  return origin
}

/**
 * Lets Escape close a modal that is still being fetched, or has not taken the focus yet: it hears only what is pressed in it, and
 * where a screen reader or a remote opened it the focus comes when nothing on the page moves any more.
 *
 * @param origin what had the focus before
 */
function useEarlyEscape(origin: RefObject<Element | null>): void {
  useEffect(() => {
    const onKeyDown = ({ key, target }: KeyboardEvent) => {
      const open = modal.current()
      if (key !== 'Escape' || open === null || MUST_BE_ANSWERED.has(open.type)) return
      if (target === origin.current || target === document.body) modal.dismiss()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [origin])
}

import { type ComponentType, type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { modal } from './modal.ts'
import { MUST_BE_ANSWERED } from './modal-kinds.ts'

const load = () => import('./modal-stage.tsx')

/** Preloads the code of modals when the pointer approaches an element that opens a modal. */
export function preloadModals(): void {
  // A failure is ignored here, because opening a modal loads the code again and reports the failure.
  load().catch(() => {})
}

/**
 * The place where modals are rendered. The code of modals loads when the first modal opens. If the code cannot be
 * loaded, the modal closes without an answer, so that no caller waits forever.
 * @param onFault called when a modal could not be shown
 */
export function ModalHost({ onFault }: { onFault: (fault: unknown) => void }) {
  const open = useSyncExternalStore(modal.subscribe, isOpen, () => false)
  const [Stage, setStage] = useState<ComponentType<{ onFault: (fault: unknown) => void }>>()
  useEarlyEscape(useFocusReturn(open))
  useEffect(() => {
    // In full screen, the browser shows only the player, and modals are outside of the player.
    if (open && document.fullscreenElement instanceof Element) document.exitFullscreen().catch(() => {})
  }, [open])
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
 * When the last modal closes, returns the focus to the element that had the focus before the first modal opened.
 *
 * @returns that element
 */
function useFocusReturn(open: boolean): RefObject<Element | null> {
  const origin = useRef<Element | null>(null)
  useEffect(
    () =>
      modal.subscribe(() => {
        if (modal.current() === null) return
        const { activeElement } = document
        // A modal that opens another modal has the focus. The focus must not return to an element of the first
        // modal, so this element is not stored.
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
 * Lets Escape close a modal that is still loading or does not have the focus yet. A modal receives only key presses
 * inside it. A modal that was opened by a screen reader or a remote control gets the focus only after all motion on the
 * page has ended.
 * @param origin the element that had the focus before the modal opened
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

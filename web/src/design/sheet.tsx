import { MODAL } from '@ondine/contract/constants'
import type { CSSProperties, ReactNode } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import styles from './sheet.module.css'

const TIMES = {
  '--sheet-enter': `${MODAL.enterMs}ms`,
  '--sheet-leave': `${MODAL.leaveMs}ms`,
} as CSSProperties

/**
 * The ground of a modal: on phones a sheet that comes from below, above that a panel in the middle. The page behind
 * stands still and is out of reach; Escape and a press beside it close it, unless it must be answered. What stands in it
 * names it by a `Heading` with the slot `title`. It goes on showing its content while it leaves (A2.3-02).
 */
export function Sheet({
  open,
  id,
  urgent = false,
  wide = false,
  mustBeAnswered = false,
  onClose,
  children,
}: {
  open: boolean
  /** Another one is another sheet: it comes in anew. */
  id: number
  /** Interrupts the viewer: a screen reader reads all of it at once. */
  urgent?: boolean
  /** Room for pictures side by side. */
  wide?: boolean
  mustBeAnswered?: boolean
  onClose: () => void
  children: ReactNode
}) {
  return (
    <ModalOverlay
      className={styles.ground ?? ''}
      style={TIMES}
      isOpen={open}
      isDismissable={!mustBeAnswered}
      isKeyboardDismissDisabled={mustBeAnswered}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
    >
      <Modal key={id} className={styles.sheet ?? ''} data-wide={wide || undefined}>
        <Dialog className={styles.dialog ?? ''} role={urgent ? 'alertdialog' : 'dialog'}>
          {/* What leaves takes no more answers. */}
          <div inert={!open}>{children}</div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

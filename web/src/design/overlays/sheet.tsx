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
 * The frame of a modal: a sheet from below on phones, and a panel in the middle on larger screens. The page behind
 * the modal does not scroll and is inert. Escape and a press on the backdrop close the sheet, unless
 * `mustBeAnswered` is set. The content must have a `Heading` with the slot `title`, which names the sheet. The
 * content stays visible until the sheet has closed (A2.3-02).
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
  /** Identifies the sheet. A different id opens a new sheet. */
  id: number
  /** Whether the sheet interrupts the viewer. A screen reader then reads all of its content at once. */
  urgent?: boolean
  /** Whether the sheet is wide, for pictures side by side. */
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
          {/* The content of a closing sheet does not accept input. */}
          <div inert={!open}>{children}</div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

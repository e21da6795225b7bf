import { type ComponentType, useState, useSyncExternalStore } from 'react'
import { Sheet } from '../design/overlays/sheet.tsx'
import { FaultBoundary } from '../design/page/fault-boundary.tsx'
import { modal } from './modal.ts'
import { type ModalKind, type ModalState, MUST_BE_ANSWERED } from './modal-kinds.ts'
import type { ModalViewProps } from './modal-view.ts'
import { VIEWS } from './views/all-views.ts'

/** The kinds that interrupt the viewer. */
const URGENT: ReadonlySet<ModalKind> = new Set(['alert', 'suspended', 'quotaLimit'])
const WIDE: ReadonlySet<ModalKind> = new Set(['switchProfile'])

/** Renders the manager's open modal. The code of this component loads with the first modal of a visit. */
export default function ModalStage({ onFault }: { onFault: (fault: unknown) => void }) {
  const current = useSyncExternalStore(modal.subscribe, modal.current)
  // A closing modal stays visible until its animation ends.
  const [shown, setShown] = useState(current)
  if (current !== null && current !== shown) setShown(current)
  if (shown === null) return null
  return (
    <Sheet
      open={current !== null}
      id={shown.id}
      urgent={URGENT.has(shown.type)}
      wide={WIDE.has(shown.type)}
      mustBeAnswered={MUST_BE_ANSWERED.has(shown.type)}
      onClose={modal.dismiss}
    >
      <FaultBoundary
        key={shown.id}
        onFault={(fault) => {
          modal.dismiss()
          onFault(fault)
        }}
        renderFallback={() => null}
      >
        <View shown={shown} />
      </FaultBoundary>
    </Sheet>
  )
}

function View<K extends ModalKind>({ shown }: { shown: ModalState<K> }) {
  const Shown: ComponentType<ModalViewProps<K>> = VIEWS[shown.type]
  return (
    <Shown
      modal={shown}
      answer={(value) => modal.answer(shown, value)}
      settle={(value) => modal.settle(shown, value)}
    />
  )
}

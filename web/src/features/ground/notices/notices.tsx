import { lazy, Suspense } from 'react'
import { ToastRegion } from '../../../design/overlays/toast-region.tsx'
import { useNotice } from './notice.ts'

const NoticeToast = lazy(() => import('./notice-toast.tsx'))

/**
 * The region in which notices appear. The region is in the page before the first notice, so that screen readers
 * announce the first notice too. The code that shows notices loads with the first notice.
 */
export function Notices() {
  const notice = useNotice()
  return (
    <ToastRegion>
      <Suspense>{notice !== undefined && <NoticeToast notice={notice} />}</Suspense>
    </ToastRegion>
  )
}

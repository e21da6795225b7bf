import { lazy, Suspense } from 'react'
import { ToastRegion } from '../../design/toast-region.tsx'
import { useNotice } from './notice.ts'

const NoticeToast = lazy(() => import('./notice-toast.tsx'))

/** Where notices stand. It is there before the first of them, so that each is read out; their code is fetched with the first. */
export function Notices() {
  const notice = useNotice()
  return (
    <ToastRegion>
      <Suspense>{notice !== undefined && <NoticeToast notice={notice} />}</Suspense>
    </ToastRegion>
  )
}

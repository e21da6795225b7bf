import { createFileRoute } from '@tanstack/react-router'
import { notAvailable } from '../shell/not-available.tsx'

export const Route = createFileRoute('/_shell/library/completed-records')(
  notAvailable('library-completed-records'),
)

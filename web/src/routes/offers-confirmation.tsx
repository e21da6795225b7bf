import { createFileRoute } from '@tanstack/react-router'
import { notAvailable } from '../shell/not-available.tsx'

export const Route = createFileRoute('/_shell/offers/confirmation')(notAvailable('offers-confirmation'))

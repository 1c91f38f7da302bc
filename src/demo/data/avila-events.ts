import type { EventData } from "../demo-company.js";

/** The first one runs, two wait for somebody to set them ready, one is over, one is to come. */
export const AVILA_EVENTS: readonly EventData[] = [
  {
    name: "Agita y gana",
    status: "running",
    startsDaysAgo: 2,
    config: {
      couponSeeds: [
        { maxCount: 5, winRate: 200, couponValueE2: 2_000, winnerMessage: "¡El premio mayor: 20 dólares!" },
        { maxCount: 200, winRate: 12, couponValuePrc: 0.15, couponMinPurchaseE2: 1_000 },
        { maxCount: 5_000, winRate: 3, couponValueE2: 100, couponAppliesTo: "delivery" },
      ],
      winnerMessage: "¡Ganaste un cupón!",
      alreadyWonMessage: "Ya ganaste. ¡Disfruta tu cupón!",
      loserMessage: "Esta vez no. ¡Agita otra vez!",
    },
  },
  {
    name: "Semana de las arepas",
    status: "pending",
    config: {
      couponSeeds: [{ maxCount: 300, winRate: 8, couponValuePrc: 0.2, couponMinPurchaseE2: 800 }],
      randomLength: 10,
      winnerMessage: "¡Arepas con descuento!",
      loserMessage: "Sigue agitando.",
    },
  },
  {
    name: "Noche de pizzas",
    status: "pending",
    config: {
      couponSeeds: [{ maxCount: 100, winRate: 5, couponValueE2: 300, couponMinPurchaseE2: 1_200 }],
      winnerMessage: "¡Tres dólares menos en tu pizza!",
      alreadyWonMessage: "Un cupón por persona.",
      loserMessage: "Casi…",
    },
  },
  {
    name: "Día de la Madre",
    status: "finished",
    startsDaysAgo: 24,
    endsDaysAgo: 20,
    config: {
      couponSeeds: [
        { maxCount: 2, winRate: 10, couponValueE2: 1_500, winnerMessage: "¡Flores para mamá!" },
        { maxCount: 20, winRate: 4, couponValuePrc: 0.1, couponAppliesTo: "total" },
      ],
      winnerMessage: "¡Ganaste!",
      loserMessage: "No hubo suerte.",
    },
  },
  {
    name: "Décimo aniversario",
    status: "ready",
    startsDaysAgo: -3_650,
    endsDaysAgo: -3_660,
    config: {
      couponSeeds: [{ maxCount: 10, winRate: 100, couponValueE2: 10_000 }],
      winnerMessage: "¡Diez años, cien dólares!",
      loserMessage: "Gracias por celebrar con nosotros.",
    },
  },
];

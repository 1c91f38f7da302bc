import type { DemoTarget } from "./demo-target.js";
import { insertRows } from "./insert-rows.js";

const DIRECT = 6;

/** A private room of the staff, a room of each branch, and talks with clients about their last orders. */
export async function loadChatRooms({ db, companyId, data }: DemoTarget): Promise<void> {
  const branches = await db.branch.findMany({ where: { companyId }, orderBy: { id: "asc" } });
  const orders = await db.order.findMany({
    where: { companyId, clientId: { not: null } },
    orderBy: { id: "desc" },
    take: DIRECT,
    select: { client: { select: { name: true } } },
  });
  const rooms = [
    { name: data.profile.name, isPrivate: true },
    ...branches.map(({ name }) => ({ name, targetType: "branch" })),
    ...orders.map(({ client }) => ({ name: client?.name ?? null, isDirect: true, targetType: "order" })),
  ];
  await insertRows(
    db,
    "ChatRoom",
    rooms.map((room, index) => ({
      companyId,
      isDirect: false,
      isPrivate: false,
      ...room,
      channel: `${data.profile.folderName}-${index}`,
      lastMessageId: index % 4 === 3 ? null : 100 + index,
    })),
  );
}

# staff
